// What a change was answered with, in place of what a page knew before.
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** A look that began before the change and is answered after it would show the old state again. It alone is
 * given up: what else is kept below its key may be on its way for the first time. */
export async function showChanged(
  queries: QueryClient,
  queryKey: QueryKey,
  changed: unknown,
): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData(queryKey, changed);
}
