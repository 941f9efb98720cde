// Code in pieces: nothing is lost, and what is coloured is what it seems.
import { expect, test } from "vitest";
import { piecesOf } from "./highlight";

const kinds = (code: string) =>
  piecesOf(code)
    .filter(({ kind }) => kind !== null)
    .map(({ text, kind }) => `${kind}:${text}`);

test("the pieces are the code", () => {
  const code = "curl -s 'http://127.0.0.1:80/v1' \\\n  -d '{ \"a\": 12, \"b\": [true] }' # done";
  expect(
    piecesOf(code)
      .map(({ text }) => text)
      .join(""),
  ).toBe(code);
});

test("keys, texts, numbers, words and comments are told apart", () => {
  expect(kinds('{ "a": "b", "n": 12 }')).toEqual(['key:"a"', 'string:"b"', 'key:"n"', "number:12"]);
  expect(kinds("import os # for keys")).toEqual(["word:import", "comment:# for keys"]);
  expect(kinds("http://127.0.0.1:8411/v1")).toEqual([]);
});
