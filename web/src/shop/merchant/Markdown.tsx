// Markdown as React elements: headings, paragraphs, lists, emphasis, quotes and links. What else there
// is (HTML, pictures) is shown as the text that it is, so that no words of a merchant become a program.
import { lexer, type Token, type Tokens } from "marked";
import { createElement, Fragment, type ReactNode } from "react";

const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:)/i;
const HEADING_MAX = 6;
const LEVELLED = "levelled_heading";

export function Markdown({ text }: { text: string }): ReactNode {
  return <Elements tokens={levelled(lexer(text))} />;
}

/** Headings begin one level below the page's own, and none is skipped, whichever a text begins with. */
function levelled(tokens: readonly Token[]): Token[] {
  const depths = tokens.flatMap((token) =>
    token.type === "heading" ? [Number(token["depth"])] : [],
  );
  const above = Math.min(...depths) - 2;
  let last = 1;
  return tokens.map((token) => {
    if (token.type !== "heading") return token;
    last = Math.min(Number(token["depth"]) - above, last + 1, HEADING_MAX);
    return { ...token, type: LEVELLED, depth: last };
  });
}

function Elements({ tokens }: { tokens: readonly Token[] | undefined }): ReactNode {
  return (tokens ?? []).map((token, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the tokens of a text have no other name
    <Fragment key={place}>{elementOf(token)}</Fragment>
  ));
}

function elementOf(token: Token): ReactNode {
  const inner = () => <Elements tokens={"tokens" in token ? token.tokens : undefined} />;
  switch (token.type) {
    case LEVELLED:
      return createElement(`h${Number(token["depth"])}`, null, inner());
    case "heading": // in a list or a quote it is a line like others
    case "paragraph":
      return <p>{inner()}</p>;
    case "blockquote":
      return <blockquote>{inner()}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} />;
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "link":
      return SAFE_LINK.test(String(token["href"])) ? (
        <a href={String(token["href"])}>{inner()}</a>
      ) : (
        inner()
      );
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "space":
    case "def":
      return null;
    case "text":
      return "tokens" in token && token.tokens !== undefined ? inner() : String(token["text"]);
    case "escape":
    case "codespan":
    case "code":
      return String(token["text"]);
    default:
      return token.raw;
  }
}

function List({ list }: { list: Tokens.List }): ReactNode {
  const items = list.items.map((item, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- as above
    <li key={place}>
      <Elements tokens={item.tokens} />
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={list.start === "" ? 1 : list.start}>{items}</ol>;
}
