// Lists that come in pages: the pages read so far as one list, and a way to the next.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Listed } from "../types";
import { read } from "../request";
import { withQuery, type Params } from "./query";

const FIRST: string | null = null;

type Options = { readonly every?: number; readonly enabled?: boolean };

/** The pages of the list at this path; read anew every so many milliseconds if that is said. */
export function usePages<T>(path: string, params: Params, { every, enabled }: Options = {}) {
  const query = useInfiniteQuery({
    queryKey: ["pages", withQuery(path, params)],
    queryFn: ({ pageParam }) => read<Listed<T>>(path, { ...params, after: pageParam }),
    initialPageParam: FIRST,
    // Rows stay until others are there: a list must not jump away under somebody's finger.
    placeholderData: (before) => before,
    getNextPageParam: (last) => last.next,
    ...(every === undefined ? {} : { refetchInterval: every }),
    ...(enabled === undefined ? {} : { enabled }),
  });
  const more = query.hasNextPage
    ? { busy: query.isFetchingNextPage, load: () => void query.fetchNextPage() }
    : null;
  return {
    rows: query.data?.pages.flatMap((page) => page.items),
    error: query.error,
    onRetry: () => void query.refetch(),
    more,
  };
}
