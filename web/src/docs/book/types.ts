// What the schema of a field says, in a few words: its type, and the limits on it.
import { componentOf, mayBeNull, optionsOf, resolved, type Schema, type Schemas } from "./openapi";

/** A part of a type: words, and the object that they link to if they name one. */
export type TypePart = { readonly text: string; readonly object: string | null };

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "time",
  date: "date",
  uuid: "UUID",
};

export function typeOf(schema: Schema, schemas: Schemas): readonly TypePart[] {
  const name = componentOf(schema);
  if (name !== null) {
    const found = schemas[name] ?? {};
    return found.enum === undefined ? [{ text: name, object: name }] : plain("text");
  }
  const options = optionsOf(schema);
  const parts =
    options.length === 1 && options[0] ? single(options[0], schemas) : several(schema, schemas);
  return mayBeNull(schema) ? [...parts, ...plain(" or null")] : parts;
}

function several(schema: Schema, schemas: Schemas): readonly TypePart[] {
  return optionsOf(schema).flatMap((option, index) => [
    ...(index > 0 ? plain(" or ") : []),
    ...typeOf(option, schemas),
  ]);
}

function single(schema: Schema, schemas: Schemas): readonly TypePart[] {
  if (componentOf(schema) !== null || optionsOf(schema)[0] !== schema)
    return typeOf(schema, schemas);
  if (schema.type === "array") {
    return schema.items === undefined
      ? plain("list")
      : [...plain("list of "), ...typeOf(schema.items, schemas)];
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return [...plain("map of "), ...typeOf(schema.additionalProperties, schemas)];
  if (schema.const !== undefined || schema.enum !== undefined || schema.type === "string")
    return plain(FORMATS[schema.format ?? ""] ?? "text");
  return plain(schema.type ?? "anything");
}

const plain = (text: string): readonly TypePart[] => [{ text, object: null }];

/** The words that a field takes, where it takes no others. */
export function wordsOf(schema: Schema, schemas: Schemas): readonly string[] {
  const found = optionsOf(schema).flatMap((option) => {
    const { enum: words, const: only, items } = resolved(option, schemas);
    if (items !== undefined && option.type === "array") return wordsOf(items, schemas);
    return only !== undefined ? [only] : (words ?? []);
  });
  return found.map(String);
}

/** The limits of a field, each in a few words. */
export function limitsOf(schema: Schema): readonly string[] {
  const limits = optionsOf(schema).flatMap((one) => [
    ...span(one.minimum, one.maximum, ""),
    ...span(one.minLength, one.maxLength, " characters"),
    ...span(one.minItems, one.maxItems, " entries"),
    ...(one.pattern !== undefined && one.examples === undefined ? [one.pattern] : []),
  ]);
  return [...new Set(limits)];
}

function span(least: number | undefined, most: number | undefined, of: string): readonly string[] {
  const number = (value: number) => value.toLocaleString("en");
  if (least !== undefined && most !== undefined)
    return [least === most ? `${number(least)}${of}` : `${number(least)} to ${number(most)}${of}`];
  if (most !== undefined) return [`at most ${number(most)}${of}`];
  if (least !== undefined) return [`at least ${number(least)}${of}`];
  return [];
}

const DEFAULT = /\s*Default: (.+)$/s;

/** A description without the default at its end, and that default. */
export function withoutDefault(description = ""): { text: string; value: string | null } {
  const found = DEFAULT.exec(description);
  return { text: description.replace(DEFAULT, "").trim(), value: found?.[1] ?? null };
}
