// Lists of the API, which answer by page.

export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };
type After = { after?: string };

const FIRST: After = {};
/** What an infinite query of such a list has; its `pageParam` is part of the query. */
export const BY_PAGE = {
  initialPageParam: FIRST,
  getNextPageParam: ({ next }: { readonly next: string | null }): After | null =>
    next === null ? null : { after: next },
};

/** All items of a list; `read` gives the page after a cursor. */
export async function allItems<Item>(read: (after: After) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: After | null = FIRST; after !== null;) {
    const page: Page<Item> = await read(after);
    items.push(...page.items);
    after = BY_PAGE.getNextPageParam(page);
  }
  return items;
}
