// A page's answers have words in the language that their call asked for.
import type { QueryClient } from "@tanstack/react-query";

/** Asks for all answers again, in the language that the page has now. A first call that is still on its
 * way is given up: the cache would wait for its answer, and keep words of the language before. */
export async function askInNewLanguage(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries();
}
