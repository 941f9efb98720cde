// Texts of the reference: paragraphs of one kind of Markdown, code, bold, and links to what is here.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useBook } from "../useBook";
import type { Book } from "../book/book";

const PIECES = /`([^`]+)`|\[([^\]]+)\]\(([^)]*)\)|\*\*([^*]+)\*\*/g;

export function Prose({ text }: { text: string }) {
  return text
    .split(/\n\n+/)
    .filter(Boolean)
    .map((paragraph) => (
      <p key={paragraph}>
        <Inline text={paragraph} />
      </p>
    ));
}

/** One line of it. Codes of errors, and words that name objects, link to them. */
export function Inline({ text }: { text: string }) {
  const book = useBook();
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const found of text.matchAll(PIECES)) {
    const [all, code, words, target = "", bold] = found;
    pieces.push(text.slice(at, found.index));
    if (code !== undefined) pieces.push(<CodeWord key={at} word={code} />);
    else if (words !== undefined)
      pieces.push(<Target key={at} words={words} to={target} book={book} />);
    else pieces.push(<strong key={at}>{bold}</strong>);
    at = found.index + all.length;
  }
  return (
    <span lang="en" dir="ltr">
      {pieces}
      {text.slice(at)}
    </span>
  );
}

function CodeWord({ word }: { word: string }) {
  const { errors } = useBook();
  const isError = errors.some(({ code }) => code === word);
  if (!isError) return <code dir="ltr">{word}</code>;
  return (
    <Link href={`/errors/${word}`}>
      <code dir="ltr">{word}</code>
    </Link>
  );
}

/** What a link of the reference points to, if it is here; else its words alone. */
function Target({ words, to, book }: { words: string; to: string; book: Book }) {
  const inner = <Words text={words} />;
  const fragment = to.split("#")[1] ?? "";
  const name = fragment.replaceAll(/(?:^|-)(\w)/g, (_all, first: string) => first.toUpperCase());
  // The heading "Hold" explains the HoldView that calls answer.
  const object = [`${name}View`, name]
    .map((wanted) => book.objects.find((one) => one.name === wanted))
    .find((one) => one !== undefined);
  if (object !== undefined) return <Link href={`/objects/${object.name}`}>{inner}</Link>;
  const call = book.calls.find(({ method, path }) => anchorOf(`${method} ${path}`) === fragment);
  return call === undefined ? inner : <Link href={`/calls/${call.id}`}>{inner}</Link>;
}

function Words({ text }: { text: string }) {
  return text.startsWith("`") ? <code dir="ltr">{text.replaceAll("`", "")}</code> : text;
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
