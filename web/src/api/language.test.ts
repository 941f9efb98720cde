// The language is changed while answers are on their way.
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { askInNewLanguage } from "./language";

interface Asked {
  readonly language: string;
  readonly answer: () => void;
}

function watch(): { queries: QueryClient; asked: Asked[]; seen: () => string | undefined } {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked: Asked[] = [];
  const observer = new QueryObserver<string>(queries, {
    queryKey: ["listing"],
    queryFn: () =>
      new Promise((resolve) => {
        const language = asked.length === 0 ? "ar" : "en";
        asked.push({ language, answer: () => resolve(`words in ${language}`) });
      }),
  });
  observer.subscribe(() => undefined);
  return { queries, asked, seen: () => observer.getCurrentResult().data };
}

test("a first answer in the language before is not kept", async () => {
  const { queries, asked, seen } = watch();
  const isDone = askInNewLanguage(queries);
  asked[0]?.answer();
  await expect.poll(() => asked.map(({ language }) => language)).toEqual(["ar", "en"]);
  asked[1]?.answer();
  await isDone;
  expect(seen()).toBe("words in en");
});

test("what is there stays to be read until the new words come", async () => {
  const { queries, asked, seen } = watch();
  asked[0]?.answer();
  await expect.poll(seen).toBe("words in ar");
  const isDone = askInNewLanguage(queries);
  await expect.poll(() => asked.length).toBe(2);
  expect(seen()).toBe("words in ar");
  asked[1]?.answer();
  await isDone;
  expect(seen()).toBe("words in en");
});
