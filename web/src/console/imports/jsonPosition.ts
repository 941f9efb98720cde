// Finds line and column of a value in a JSON text, to show problems where they are.

export type Position = { readonly line: number; readonly column: number };

/** The line and column, from 1, of an offset. */
export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, Math.max(0, offset));
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - start + 1 };
}

/** Where the value at a path (`shows[6].film`) begins; null for a path that is not there. */
export function locate(text: string, path: string): Position | null {
  const steps = path
    .replace(/^\$\.?/, "")
    .split(/\.|\[(\d+)\]/)
    .filter((step) => step !== undefined && step !== "");
  const scanner = new Scanner(text);
  try {
    for (const step of steps) {
      if (!scanner.enter(step)) return null;
    }
    return positionOf(text, scanner.position());
  } catch {
    return null; // not a JSON text: whoever parsed it says so
  }
}

/** The position of the first syntax error; null for valid JSON. */
export function brokenAt(text: string): Position | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const scanner = new Scanner(text);
    try {
      scanner.skip();
    } catch {
      // The scanner has stopped at the error.
    }
    return positionOf(text, scanner.position());
  }
}

class Scanner {
  private at = 0;
  constructor(private readonly text: string) {}

  /** Skips white space; returns the offset of the next token. */
  position(): number {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
    return this.at;
  }

  /** Enters the next value and goes to this key or index; false if it is not there. */
  enter(step: string): boolean {
    const open = this.text[this.position()];
    if (open !== "{" && open !== "[") return false;
    this.at += 1;
    for (let index = 0; ; index += 1) {
      const next = this.text[this.position()];
      if (next === undefined || next === "}" || next === "]") return false;
      const name = open === "{" ? this.name() : String(index);
      if (name === step) {
        this.position();
        return true;
      }
      this.skip();
      if (this.text[this.position()] !== ",") return false;
      this.at += 1;
    }
  }

  skip(): void {
    const start = this.position();
    const open = this.text[start];
    if (open === '"') return this.string();
    if (open !== "{" && open !== "[") return this.word();
    const close = open === "{" ? "}" : "]";
    this.at += 1;
    if (this.text[this.position()] === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      if (open === "{") this.name();
      this.skip();
      const next = this.text[this.position()];
      if (next !== "," && next !== close) throw new SyntaxError("neither a comma nor an end");
      this.at += 1;
      if (next === close) return;
    }
  }

  private name(): string {
    const start = this.position();
    this.string();
    const name: unknown = JSON.parse(this.text.slice(start, this.at));
    if (this.text[this.position()] !== ":") throw new SyntaxError("no colon");
    this.at += 1;
    return String(name);
  }

  private string(): void {
    // Sticky, so that the text is not copied for each string.
    const pattern = /"(?:[^"\\\n]|\\.)*"/y;
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) throw new SyntaxError("not a string");
    this.at = pattern.lastIndex;
  }

  private word(): void {
    const found = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(
      this.text.slice(this.at, this.at + 60),
    );
    if (found === null) throw new SyntaxError("not a value");
    this.at += found[0].length;
  }
}
