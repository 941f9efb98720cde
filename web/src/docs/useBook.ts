// The document of this server and the reference, read once.
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { readBook, type Book } from "./book/book";
import type { OpenApi } from "./book/openapi";

const DOCUMENT = "/v1/openapi.json";

export const BookContext = createContext<Book | null>(null);

/** The book, below a BookContext. */
export function useBook(): Book {
  const book = useContext(BookContext);
  if (book === null) throw new Error("there is no book here");
  return book;
}

export function useLoadedBook() {
  return useQuery({ queryKey: ["book"], queryFn: load, staleTime: Infinity });
}

async function load(): Promise<Book> {
  const [answer, { default: reference }] = await Promise.all([
    fetch(DOCUMENT),
    import("virtual:reference"),
  ]);
  if (!answer.ok) throw new Error(`${DOCUMENT}: ${answer.status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this server's own document
  return readBook((await answer.json()) as OpenApi, reference);
}
