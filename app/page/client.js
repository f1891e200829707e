// The service, called. Every failure, the network's included, comes out as one kind of error.

/** A refused or failed call: the parts of an RFC 9457 problem document, and how long to wait (seconds or null). */
export class Problem extends Error {
  constructor(fields) {
    super(fields.detail || fields.title || "");
    Object.assign(
      this,
      { status: 0, type: "", title: "", detail: "", errors: [], requestId: "", waitS: null },
      fields,
    );
  }
}

function waitSeconds(header) {
  if (!header) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

async function problemOf(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // a proxy's HTML page, say: the status is all there is to tell
  }
  return new Problem({
    status: response.status,
    type: body.type ?? "",
    title: body.title ?? "",
    detail: typeof body.detail === "string" ? body.detail : "",
    errors: Array.isArray(body.errors) ? body.errors : [],
    requestId: body.request_id ?? response.headers.get("X-Request-Id") ?? "",
    waitS: waitSeconds(response.headers.get("Retry-After")),
  });
}

const asJson = (response) => response.json();

/** The answer of any call of the service as `read(response)` reads it. Throws a Problem, or an AbortError. */
export async function call(path, options = {}, read = asJson) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { Accept: "application/json", ...options.headers } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({});
  }
  if (!response.ok) throw await problemOf(response);
  try {
    return await read(response);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ status: response.status });
  }
}

/** The answer to a search request. */
export function search(body, signal) {
  const headers = { "Content-Type": "application/json" };
  return call("/v1/search", { method: "POST", body: JSON.stringify(body), headers, signal });
}

/** The suggestions for a beginning of a question. */
export async function suggest(text, signal) {
  const answer = await call(`/v1/suggest?${new URLSearchParams({ q: text })}`, { signal });
  return answer.suggestions ?? [];
}

/** The full record of one opportunity. */
export function opportunity(id, signal) {
  return call(`/v1/opportunities/${encodeURIComponent(id)}`, { signal });
}
