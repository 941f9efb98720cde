// The code in the address that a mail's link opens.

/** Takes the code out of the address, so that it stays in no history; empty if there is none. */
export function takeCode(): string {
  const url = new URL(globalThis.location.href);
  const code = new URLSearchParams(url.hash.slice(1)).get("code") ?? "";
  if (url.hash !== "") {
    url.hash = "";
    history.replaceState(history.state, "", url);
  }
  return /^\d{8}$/.test(code) ? code : "";
}
