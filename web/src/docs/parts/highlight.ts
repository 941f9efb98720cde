// Colours for code: texts, numbers, words and comments, as the languages of the samples have them alike.

export type Piece = { readonly text: string; readonly kind: PieceKind | null };
export type PieceKind = "string" | "number" | "word" | "comment" | "key";

const PIECES =
  /(?<comment>(?:^|(?<=\s))(?:#|\/\/) .*)|(?<key>"[^"\n]*"(?=:))|(?<string>"(?:\\.|[^"\\\n])*"|`[^`]*`|f"[^"]*")|(?<number>(?<![\w./:=-])-?\d+(?:\.\d+)?(?![\w.:-]))|(?<word>(?<![\w.$/-])(?:import|from|with|as|print|await|const|new|true|false|null|True|False|None|curl)(?![\w-]))/gm;

export function piecesOf(code: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of code.matchAll(PIECES)) {
    if (found.index > at) pieces.push({ text: code.slice(at, found.index), kind: null });
    const [kind] = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    pieces.push({ text: found[0], kind: (kind as PieceKind | undefined) ?? null });
    at = found.index + found[0].length;
  }
  if (at < code.length) pieces.push({ text: code.slice(at), kind: null });
  return pieces;
}
