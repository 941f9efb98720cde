// Something is changed while a page is looking at it.
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { showChanged } from "./showChanged";

const KEY = ["booking", "bkg_1"];

/** Looks for something, and gives what answers that. */
function look(queries: QueryClient, queryKey: string[]) {
  let give: (answer: string) => void = () => undefined;
  const queryFn = () => new Promise<string>((done) => (give = done));
  const seen = queries.fetchQuery({ queryKey, queryFn }).catch(() => undefined);
  return async (answer: string) => {
    give(answer);
    await seen;
    return queries.getQueryData(queryKey);
  };
}

test("a look that is answered after a change does not show what was before", async () => {
  const queries = new QueryClient();
  queries.setQueryData(KEY, "confirmed");
  const answer = look(queries, KEY);
  await showChanged(queries, KEY, "cancelled");
  expect(await answer("confirmed")).toBe("cancelled");
});

test("a first look at something else of it goes on", async () => {
  const queries = new QueryClient();
  const answer = look(queries, [...KEY, "answers"]);
  await showChanged(queries, KEY, "cancelled");
  expect(await answer("vegan")).toBe("vegan");
});
