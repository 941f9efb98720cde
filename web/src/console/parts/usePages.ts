// A paged list: the pages read so far, and a way to load the next.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { PathsWithMethod } from "openapi-typescript-helpers";
import type { Answer, Paths } from "~/api/client";
import { BY_PAGE, type Page } from "~/api/pages";
import { api } from "../session";
import { filled, type Params } from "./query";

type GetPath = PathsWithMethod<Paths, "get">;
type ListPath = { [P in GetPath]: Answer<P> extends Page<unknown> ? P : never }[GetPath];
type Item<P extends ListPath> = Answer<P> extends Page<infer Row> ? Row : never;
type Input = { readonly path?: object; readonly query: Params };

export type Pages<Row> = Omit<ReturnType<typeof usePages<ListPath>>, "rows"> & {
  readonly rows: readonly Row[] | undefined;
};

/** Empty parameters of the query are left out. */
export function usePages<P extends ListPath>(path: P, input: Input, refetchInterval: number) {
  const wanted = filled(input.query);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list, as its path says
  const read = api.GET as unknown as (path: P, input: Input) => Promise<Page<Item<P>>>;
  const query = useInfiniteQuery({
    queryKey: ["pages", path, input.path, wanted],
    queryFn: ({ pageParam }) => read(path, { ...input, query: { ...wanted, ...pageParam } }),
    ...BY_PAGE,
    // Keeps the previous rows while loading, so that the list does not jump.
    placeholderData: (before) => before,
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
