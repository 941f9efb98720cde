// A paged list: the pages read so far, and a way to load the next.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Listed } from "../types";
import { read } from "../request";
import { withQuery, type Params } from "./query";

const FIRST: string | null = null;

export function usePages<T>(path: string, params: Params, refetchInterval: number) {
  const query = useInfiniteQuery({
    queryKey: ["pages", withQuery(path, params)],
    queryFn: ({ pageParam }) => read<Listed<T>>(path, { ...params, after: pageParam }),
    initialPageParam: FIRST,
    // Keeps the previous rows while loading, so that the list does not jump.
    placeholderData: (before) => before,
    getNextPageParam: (last) => last.next,
    refetchInterval,
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
