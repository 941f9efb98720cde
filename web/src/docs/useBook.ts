// The document of this server and the reference, read once.
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useDeferredValue } from "react";
import { readBook, type Book } from "./book/book";
import type { OpenApi } from "./book/openapi";

const DOCUMENT = "/v1/openapi.json";

/** The book as far as it is here. */
export type Reading = {
  readonly data: Book | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
};
export const BookContext = createContext<Reading | null>(null);

/** The book, or what keeps it; below a BookContext. */
export function useReading(): Reading {
  const reading = useContext(BookContext);
  if (reading === null) throw new Error("there is no book here");
  return reading;
}

/** The book, in what is shown once it is here. */
export function useBook(): Book {
  const { data } = useReading();
  if (data === undefined) throw new Error("the book is not here yet");
  return data;
}

/** Reads the book. It is shown in pieces: a slow processor answers the reader between them. */
export function useLoadedBook(): Reading {
  const { data, error, refetch } = useQuery({
    queryKey: ["book"],
    queryFn: load,
    staleTime: Infinity,
  });
  return { data: useDeferredValue(data), error, refetch };
}

async function load(): Promise<Book> {
  const [answer, { default: reference }] = await Promise.all([
    fetch(DOCUMENT),
    import("virtual:reference"),
  ]);
  if (!answer.ok) throw new Error(`${DOCUMENT}: ${answer.status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this server's own document
  const document = (await answer.json()) as OpenApi;
  await new Promise((rested) => setTimeout(rested)); // it is long, and so is what is made of it
  return readBook(document, reference);
}
