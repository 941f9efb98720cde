// @vitest-environment happy-dom
// What one types while a form is being saved, where the answer takes its time.
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useBegun } from "./useBegun";
import { useDraft } from "./useDraft";

const MINE = { name: "Mine", note: "" };
const SAVED = { name: "Mine, saved", note: "Theirs" };

const opened = () =>
  renderHook(
    ({ begin, edition, busy }) =>
      useDraft(begin, ({ name }) => (name === "" ? ["name"] : []), { edition, busy }),
    { initialProps: { begin: MINE, edition: 0, busy: false } },
  );

test("what is typed while it is saved stays, and the rest is what was saved", () => {
  const { result, rerender } = opened();
  act(() => {
    result.current.attempt();
    rerender({ begin: MINE, edition: 0, busy: true });
  });
  act(() => result.current.change({ note: "Typed" }));
  rerender({ begin: SAVED, edition: 1, busy: false });
  expect(result.current.draft).toEqual({ name: "Mine, saved", note: "Typed" });
});

test("what is typed after a refusal goes when theirs are loaded", () => {
  const { result, rerender } = opened();
  act(() => {
    result.current.attempt();
    rerender({ begin: MINE, edition: 0, busy: true });
  });
  rerender({ begin: MINE, edition: 0, busy: false });
  act(() => result.current.change({ note: "Typed" }));
  rerender({ begin: SAVED, edition: 1, busy: false });
  expect(result.current.draft).toEqual(SAVED);
});

test("a form that begins anew by itself keeps what is typed while it is saved", () => {
  const { result } = renderHook(() => useBegun(MINE, () => MINE));
  const { beginAnew } = result.current; // as of the moment in which it was sent
  act(() => result.current.change({ note: "Typed" }));
  act(() => beginAnew(SAVED, SAVED));
  expect(result.current.draft).toEqual({ name: "Mine, saved", note: "Typed" });
  expect(result.current.began).toEqual(SAVED);
});
