// A paged list: the pages read so far, and a way to load the next.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Listed } from "../types";
import { read } from "../request";
import { withQuery, type Params } from "./query";

const FIRST: string | null = null;

type Options = { readonly every?: number; readonly enabled?: boolean };

/** Refetched every `every` milliseconds if that is given. */
export function usePages<T>(path: string, params: Params, { every, enabled }: Options = {}) {
  const query = useInfiniteQuery({
    queryKey: ["pages", withQuery(path, params)],
    queryFn: ({ pageParam }) => read<Listed<T>>(path, { ...params, after: pageParam }),
    initialPageParam: FIRST,
    // Keeps the previous rows while loading, so that the list does not jump.
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
