// Values as the languages of the samples write them, on one line while that is short.

/** How a language writes values. */
export type Syntax = {
  readonly indent: string;
  /** How long a line may be. */
  readonly width: number;
  readonly words: Readonly<Record<"true" | "false" | "null", string>>;
  key(name: string): string;
  /** Whether the last entry of what is on several lines has a comma as well. */
  readonly trails: boolean;
  /** Whether what is called keeps its brackets at those of its last argument. */
  readonly hugs: boolean;
};

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export const JSON_SYNTAX: Syntax = {
  indent: "  ",
  width: 60,
  words: { true: "true", false: "false", null: "null" },
  key: (name) => `${JSON.stringify(name)}: `,
  trails: false,
  hugs: false,
};
export const JAVASCRIPT: Syntax = {
  ...JSON_SYNTAX,
  width: 84,
  key: (name) => `${IDENTIFIER.test(name) ? name : JSON.stringify(name)}: `,
  trails: true,
  hugs: true,
};
export const PYTHON: Syntax = {
  indent: "    ",
  width: 84,
  words: { true: "True", false: "False", null: "None" },
  key: (name) => `${JSON.stringify(name)}: `,
  trails: true,
  hugs: false,
};

/** Code that stands as it is where a value is expected: `Line(…)`. */
export class Code {
  constructor(
    readonly open: string,
    readonly entries: readonly (readonly [string, unknown])[],
    readonly close: string,
  ) {}
}

/** A value as text. `used` is how much of its first line is taken already. */
export function literal(value: unknown, syntax: Syntax, depth = 0, used = 0): string {
  const parts = partsOf(value, syntax);
  if (parts === null) return wordOf(value, syntax);
  const { open, close, entries } = parts;
  if (entries.length === 0) return open + close;
  const flat = entries.map(([key, one]) => key + literal(one, syntax, depth + 1, Infinity));
  const gap = open === "{" && syntax.indent === "  " ? " " : "";
  const line = open + gap + flat.join(", ") + gap + close;
  const taken = used === Infinity ? -Infinity : depth * syntax.indent.length + used;
  if (taken + line.length <= syntax.width) return line;
  const last = entries.at(-1)?.[1];
  if (syntax.hugs && value instanceof Code && isHugged(last))
    return open + [...flat.slice(0, -1), literal(last, syntax, depth, used)].join(", ") + close;
  const inner = syntax.indent.repeat(depth + 1);
  const lines = entries.map(
    ([key, one]) => inner + key + literal(one, syntax, depth + 1, key.length),
  );
  const end = syntax.trails ? "," : "";
  return `${open}\n${lines.join(",\n")}${end}\n${syntax.indent.repeat(depth)}${close}`;
}

const isHugged = (value: unknown): boolean => typeof value === "object" && value !== null;

type Parts = { open: string; close: string; entries: readonly (readonly [string, unknown])[] };

function partsOf(value: unknown, { key }: Syntax): Parts | null {
  if (value instanceof Code) return value;
  if (Array.isArray(value))
    return { open: "[", close: "]", entries: value.map((one) => ["", one]) };
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [key(name), one]);
  return { open: "{", close: "}", entries };
}

function wordOf(value: unknown, { words }: Syntax): string {
  if (value === true || value === false || value === null)
    return words[String(value) as "true" | "false" | "null"];
  return JSON.stringify(value) ?? words.null;
}
