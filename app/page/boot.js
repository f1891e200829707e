// Runs before the first paint, so that a remembered theme or language never flashes the other one.
// A classic script on purpose: modules run too late for that.
(() => {
  const root = document.documentElement;
  const remembered = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage may be forbidden; the defaults then hold
    }
  };
  const theme = remembered("scholarsearch.theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const wanted = [remembered("scholarsearch.language"), ...navigator.languages];
  const known = wanted.find((tag) => tag && /^(en|zh)\b/i.test(tag)) ?? "en";
  root.lang = /^zh\b/i.test(known) ? "zh-Hans" : "en";
  root.classList.add("scripted");
  if ([...new URLSearchParams(location.search).keys()].length) root.dataset.view = "results";
})();
