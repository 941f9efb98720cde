// @vitest-environment happy-dom
// The keys of the editor count from the moment that it is there.
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import type { Editor } from "./context";
import { useKeys } from "./keyboard";

const hosts: HTMLElement[] = [];

afterEach(() => {
  for (const host of hosts.splice(0)) host.remove();
});

test("a key that is pressed once the canvas is seen is not too early", async () => {
  const done: string[] = [];
  const editor = {
    selection: ["S1"],
    change: (what: string) => done.push(what),
  } as unknown as Editor;
  function Canvas() {
    useKeys(editor, true);
    return createElement("div", { role: "application" });
  }
  const host = document.createElement("div");
  document.body.append(host);
  hosts.push(host);
  const seen = new Promise<void>((resolve) => {
    // As whoever looks: before React does what may come after the picture.
    new MutationObserver(() => {
      if (host.querySelector("[role=application]") === null) return;
      document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }),
      );
      resolve();
    }).observe(host, { childList: true, subtree: true });
  });
  const root = createRoot(host);
  root.render(createElement(Canvas));
  await seen;
  expect(done).toEqual(["move"]);
  root.unmount();
});
