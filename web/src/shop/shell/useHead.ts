// What programs read in the head of a page, while it is shown: structured data, and the picture for who passes the
// page on.
import { useEffect } from "react";

/** `text` is JSON-LD; an empty one is none. */
export function useJsonLd(text: string): void {
  useEffect(() => {
    if (text === "") return;
    const made = document.createElement("script");
    made.type = "application/ld+json"; // data, which no browser runs
    made.textContent = text;
    document.head.append(made);
    return () => made.remove();
  }, [text]);
}

/** The address of the picture, from the shop's own origin; undefined is none. */
export function useSharedPicture(path: string | undefined): void {
  useEffect(() => {
    if (path === undefined) return;
    const made = document.createElement("meta");
    made.setAttribute("property", "og:image");
    made.content = new URL(path, globalThis.location.origin).href;
    document.head.append(made);
    return () => made.remove();
  }, [path]);
}
