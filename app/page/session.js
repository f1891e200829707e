// One search and its pages: asks, keeps, goes on, starts again. Draws nothing; tells `show` what happened.

import { Problem, search } from "./client.js";
import { toRequest, writeState } from "./state.js";

const REMEMBERED = 20;

export class Session {
  #show;
  #pending = null;
  #memory = new Map(); // address → pages, so that walking back is instant and asks nothing

  /** `show(event, session)`: event is "busy", "answer", "more", "restarted" or "problem". */
  constructor(show) {
    this.#show = show;
    this.forget();
  }

  /** Back to nothing asked; what is on its way is dropped. */
  forget() {
    this.#pending?.abort();
    this.state = null;
    this.pages = [];
    this.problem = null;
    this.roundTripMs = 0;
    this.busy = false;
  }

  /** The answer that the page speaks of: the first page's, which carries facets, total and timings. */
  get answer() {
    return this.pages[0] ?? null;
  }

  /** Every hit so far. */
  get hits() {
    return this.pages.flatMap((page) => page.hits);
  }

  /** The cursor of the next page, or null at the end. */
  get cursor() {
    return this.pages.at(-1)?.next_cursor ?? null;
  }

  /** Asks for a state's first page; `remembered` allows an answer from earlier in this visit. */
  async search(state, { remembered = false } = {}) {
    const kept = remembered && this.#memory.get(writeState(state));
    this.#pending?.abort();
    this.state = state;
    if (kept) {
      this.pages = kept;
      this.problem = null;
      this.busy = false;
      this.#show("answer", this);
      return;
    }
    await this.#ask(toRequest(state), (page) => {
      this.pages = [page];
      this.#show("answer", this);
    });
  }

  /** Asks for the next page; starts again when the catalogue has moved on since the first. */
  async more() {
    if (!this.cursor || this.busy) return;
    await this.#ask({ ...toRequest(this.state), cursor: this.cursor }, (page) => {
      this.pages = [...this.pages, page];
      this.#show("more", this);
    });
    if (this.problem?.status !== 409) return;
    this.#memory.delete(writeState(this.state));
    await this.search(this.state);
    if (!this.problem) this.#show("restarted", this);
  }

  /** Asks again for what failed. */
  async again() {
    await (this.answer ? this.more() : this.search(this.state));
  }

  async #ask(body, keep) {
    const control = new AbortController();
    this.#pending = control;
    this.problem = null;
    this.busy = true;
    this.#show("busy", this);
    const began = performance.now();
    try {
      const page = await search(body, control.signal);
      if (control.signal.aborted) return;
      this.busy = false;
      this.roundTripMs = performance.now() - began;
      keep(page);
      this.#remember();
    } catch (error) {
      if (control.signal.aborted) return; // a newer search has taken over
      if (!(error instanceof Problem)) throw error;
      this.busy = false;
      this.problem = error;
      if (!body.cursor) this.pages = []; // an old list under a new question would be a lie
      if (!(error.status === 409 && body.cursor)) this.#show("problem", this);
    }
  }

  #remember() {
    const address = writeState(this.state);
    this.#memory.delete(address);
    this.#memory.set(address, this.pages);
    if (this.#memory.size > REMEMBERED) this.#memory.delete(this.#memory.keys().next().value);
  }
}
