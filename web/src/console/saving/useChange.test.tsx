// @vitest-environment happy-dom
// A form that two have open: what one is told of before it is saved over or taken away.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { Problem } from "~/api/client";
import { ChangedMeanwhile } from "./changedMeanwhile";
import { changed } from "./changes";
import { useChange } from "./useChange";

type Text = { readonly version: number; readonly closing: string };
type Draft = Pick<Text, "closing">;

const MINE: Text = { version: 1, closing: "Mine" };
const own = ({ closing }: Draft) => ({ closing });

/** A text that stands on a server, and a form of it. */
function opened() {
  const server = { now: MINE };
  const by = (seen: Text, next: Text) => {
    if (seen.version !== server.now.version) {
      return Promise.reject(new Problem(409, { code: "version_mismatch" }));
    }
    server.now = next;
    return Promise.resolve(next);
  };
  const queries = new QueryClient();
  const { result } = renderHook(
    () =>
      useChange(MINE, {
        stale: ["text"],
        key: ["text"],
        read: () => Promise.resolve(server.now),
        send: (body: Partial<Draft>, now: Text) =>
          by(now, { ...now, ...body, version: now.version + 1 }),
        own,
        changeOf: (from, draft: Draft): Partial<Draft> => changed(own(from), draft),
      }),
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      ),
    },
  );
  return {
    server,
    form: result,
    theirs: (closing: string) => {
      server.now = { version: server.now.version + 1, closing };
    },
    save: () => act(() => result.current.change({ closing: "Typed" }, () => undefined)),
    takeAway: () =>
      act(async () => {
        const gone = (seen: Text) => by(seen, { version: 0, closing: "" });
        return await result.current.takeAway(gone).catch((refused: unknown) => refused);
      }),
    loadTheirs: () => act(() => result.current.loadTheirs()),
  };
}

test("a save after a removal that was refused is told of theirs before it is over them", async () => {
  const { server, form, theirs, save, takeAway } = opened();
  theirs("Theirs");
  expect(await takeAway()).toMatchObject({ isToGo: true });
  await save();
  expect(form.current.error).toMatchObject({ isToGo: false });
  expect(server.now.closing).toBe("Theirs");
  await save();
  expect(form.current.error).toBeNull();
  expect(server.now.closing).toBe("Typed");
});

test("what one was told of is taken away, and what was changed since then is told first", async () => {
  const { server, theirs, save, takeAway } = opened();
  theirs("Theirs");
  await takeAway();
  theirs("Once more");
  expect(await takeAway()).toBeInstanceOf(ChangedMeanwhile);
  expect(server.now.closing).toBe("Once more");
  theirs("And again");
  await save();
  expect(server.now.closing).toBe("And again");
  expect(await takeAway()).toEqual({ version: 0, closing: "" });
});

test("what is loaded is what one was told of last, by whatever", async () => {
  const { form, theirs, save, takeAway, loadTheirs } = opened();
  theirs("Theirs");
  await takeAway();
  loadTheirs();
  expect(form.current.began.closing).toBe("Theirs");
  theirs("One");
  await takeAway();
  theirs("Two");
  await save();
  loadTheirs();
  expect(form.current.began.closing).toBe("Two");
  theirs("Three");
  await save();
  theirs("Four");
  await takeAway();
  loadTheirs();
  expect(form.current.began.closing).toBe("Four");
  expect(await takeAway()).toEqual({ version: 0, closing: "" });
});
