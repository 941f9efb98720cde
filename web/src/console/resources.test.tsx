// @vitest-environment happy-dom
// A page that shows something of a vertical, and its resource beside it.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { resourceQuery, useResourceOf } from "./resources";
import { api } from "./session";

const STALE = ["stays"];

test("what a page shows is read again when its resource has changed, and not because it was read", async () => {
  let version = 1;
  const read = vi.spyOn(api, "GET").mockImplementation(() => Promise.resolve({ version } as never));
  const queries = new QueryClient();
  const invalidated = vi.spyOn(queries, "invalidateQueries");
  const { result } = renderHook(() => useResourceOf("res_1", STALE), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    ),
  });
  await waitFor(() => expect(result.current?.version).toBe(1));
  expect(invalidated).not.toHaveBeenCalled();

  version = 2;
  await act(() => queries.refetchQueries(resourceQuery("res_1")));
  await waitFor(() => expect(result.current?.version).toBe(2));
  expect(invalidated).toHaveBeenCalledExactlyOnceWith({ queryKey: STALE });
  read.mockRestore();
});
