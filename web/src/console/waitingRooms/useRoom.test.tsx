// @vitest-environment happy-dom
// A room that is changed while the page is looking at it.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api } from "../session";
import { useChangeRoom, useRoom } from "./useRoom";

const BEFORE = { state: "scheduled" } as never;
const AFTER = { state: "open" } as never;

test("a look that is answered after a change does not show the room as it was", async () => {
  let answer: (room: never) => void = () => undefined;
  const read = vi.spyOn(api, "GET").mockResolvedValue(BEFORE);
  const change = vi.spyOn(api, "PATCH").mockResolvedValue(AFTER);
  const queries = new QueryClient();
  const { result, unmount } = renderHook(
    () => ({ room: useRoom("wrm_1"), change: useChangeRoom("wrm_1") }),
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      ),
    },
  );
  await waitFor(() => expect(result.current.room.data).toEqual(BEFORE));
  read.mockImplementation(() => new Promise((done) => (answer = done)));
  act(() => void result.current.room.refetch());
  await act(async () => void (await result.current.change({ state: "open" })));
  await waitFor(() => expect(result.current.room.data).toEqual(AFTER));
  await act(async () => answer(BEFORE));
  const [kept] = queries.getQueryCache().getAll();
  expect(kept?.state.data).toEqual(AFTER);
  unmount();
  read.mockRestore();
  change.mockRestore();
});
