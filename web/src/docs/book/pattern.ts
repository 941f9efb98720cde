// A text that a regular expression takes: for examples of ids, of which the document has the pattern.
// It knows what patterns of ids are made of; for any other the answer is null.

const ATOM = /^(?:\\(.)|\[(\^?)((?:\\.|[^\]])+)\]|([^()[\]{}|?*+\\^$.]))/;
const TIMES = /^(?:\{(\d+)(?:,\d*)?\}|([?*+]))/;

/** Whether a text is taken. A pattern that browsers cannot read takes none. */
export function takes(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return isTakenLoosely(pattern, text);
  }
}

/** By the rules before Unicode, which know more escapes. */
function isTakenLoosely(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}

/** One of the shortest texts that match, or null. */
export function textOf(pattern: string): string | null {
  let rest = pattern.replace(/^\^/, "").replace(/\$$/, "");
  let text = "";
  while (rest !== "") {
    const atom = ATOM.exec(rest);
    const one = atom && characterOf(atom);
    if (!atom || one === null || one === undefined) return null;
    rest = rest.slice(atom[0].length);
    const times = TIMES.exec(rest);
    rest = rest.slice(times?.[0].length ?? 0);
    text += repeated(one, countOf(times), text.length);
  }
  return takes(pattern, text) ? text : null;
}

function countOf(times: RegExpExecArray | null): number {
  if (times?.[1] !== undefined) return Number(times[1]);
  return times?.[2] === "?" || times?.[2] === "*" ? 0 : 1;
}

/** The characters that stand in a place: several, if there is a choice. */
function characterOf([, escaped, negated, set, plain]: RegExpExecArray): string | null {
  if (plain !== undefined) return plain;
  if (escaped !== undefined)
    return escaped === "d" ? "0123456789" : /\w/.test(escaped) ? null : escaped;
  if (set === undefined || negated) return null;
  const found = set.replace(/(.)-(.)/g, (_all, from: string, to: string) =>
    Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_none, step) =>
      String.fromCharCode(from.charCodeAt(0) + step),
    ).join(""),
  );
  return found.includes("\\") ? null : found;
}

/** So many of the characters, not all alike: an id of one digit looks like a mistake. */
function repeated(choice: string, count: number, from: number): string {
  return Array.from({ length: count }, (_none, step) =>
    choice.charAt(((from + step) * 7 + (step === 0 ? 0 : 3)) % choice.length),
  ).join("");
}
