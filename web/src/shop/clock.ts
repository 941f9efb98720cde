// The server's clock, as this device can tell it: the difference is measured with each answer that
// names the time, so that a wrong or sleeping device still counts down truthfully.

import { useEffect, useState } from "react";

/** How far this device's clock is behind the server's, in milliseconds (below zero: ahead). */
export function behindBy(serverMs: number, sentMs: number, receivedMs: number): number {
  return Math.round(serverMs - (sentMs + receivedMs) / 2);
}

/** The same from a hold: it ends at `endsAt` and had `leftMs` to go when the server answered. */
export function behindByHold(
  endsAt: number,
  leftMs: number,
  sentMs: number,
  receivedMs: number,
): number {
  return behindBy(endsAt - leftMs, sentMs, receivedMs);
}

/** What is done once for an end: a timer that survives a sleeping device, because it is reckoned
 * anew from the fixed end. The returned function stops it. */
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

/** The time by this device's clock, looked at every so many milliseconds and when the page is seen
 * again. Add how far it is behind the server's. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const look = () => setNow(Date.now());
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [everyMs]);
  return now;
}
