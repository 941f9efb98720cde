// Scroll restoration: new pages start at the top, and going back restores the position once the
// page is tall enough.
import { useEffect } from "react";
import { useLocation } from "wouter";
import { readStored } from "~/api/stored";

const KEPT_AS = "bespeak.scroll";
const GIVE_UP_MS = 3000;
let cameBack = false;
let isFirst = true;

function keep(path: string, top: number): void {
  const places = Object.entries({ ...readStored(sessionStorage, KEPT_AS), [path]: top }).slice(-50);
  sessionStorage.setItem(KEPT_AS, JSON.stringify(Object.fromEntries(places)));
}

export function useScrollKept(): void {
  const [path] = useLocation();
  useEffect(() => {
    history.scrollRestoration = "manual";
    const back = () => {
      cameBack = true;
    };
    globalThis.addEventListener("popstate", back);
    return () => globalThis.removeEventListener("popstate", back);
  }, []);
  useEffect(() => {
    const isBack = cameBack || isReload();
    const wanted = isBack ? Number(readStored(sessionStorage, KEPT_AS)?.[path] ?? 0) : 0;
    cameBack = false;
    // The first page is at its top already, and to ask for its height here would lay it out twice.
    const stop = wanted === 0 && isFirst ? () => undefined : scrollWhenTall(wanted);
    isFirst = false;
    const remember = () => keep(path, globalThis.scrollY);
    globalThis.addEventListener("scrollend", remember);
    globalThis.addEventListener("pagehide", remember);
    return () => {
      stop();
      globalThis.removeEventListener("scrollend", remember);
      globalThis.removeEventListener("pagehide", remember);
    };
  }, [path]);
}

let asked = false;

function isReload(): boolean {
  if (asked) return false;
  asked = true;
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

function scrollWhenTall(top: number): () => void {
  globalThis.scrollTo({ top, behavior: "instant" });
  if (top === 0 || globalThis.scrollY >= top) return () => undefined;
  const observer = new ResizeObserver(() => {
    globalThis.scrollTo({ top, behavior: "instant" });
    if (globalThis.scrollY >= top) stop();
  });
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const timer = setTimeout(stop, GIVE_UP_MS);
  observer.observe(document.body);
  return stop;
}
