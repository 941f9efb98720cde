// The server's clock, estimated from its answers, so that countdowns are right on devices with a
// wrong clock.

/** How far this device's clock is behind the server's, in milliseconds (below zero: ahead). */
export function behindBy(serverMs: number, sentMs: number, receivedMs: number): number {
  return Math.round(serverMs - (sentMs + receivedMs) / 2);
}

/** The same from a hold that ends at `endsAt`, with `leftMs` left at the time of the answer. */
export function behindByHold(
  endsAt: number,
  leftMs: number,
  sentMs: number,
  receivedMs: number,
): number {
  return behindBy(endsAt - leftMs, sentMs, receivedMs);
}

/** Calls `act` once at a time of the server; it also works after the device slept. The returned
 * function cancels it. */
export function atServerTime(endsAt: number, behindMs: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    const leftMs = endsAt - (Date.now() + behindMs);
    if (leftMs <= 0) act();
    else timer = setTimeout(look, Math.min(leftMs, 30_000));
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
