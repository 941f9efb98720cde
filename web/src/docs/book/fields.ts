// The fields of an object, and what the document says of them.
import { resolved, type Schema, type Schemas } from "./openapi";
import { withoutDefault } from "./types";

export type BookField = {
  readonly name: string;
  readonly schema: Schema;
  readonly isNeeded: boolean;
  /** Markdown of one line, or nothing. */
  readonly meaning: string;
  readonly standard: string | null;
  /** What the document itself shows in this place. */
  readonly example?: unknown;
};

/** The fields of an object, with the meaning that the reference gives them in this place. */
export function fieldsOf(
  schema: Schema,
  schemas: Schemas,
  meanings: Readonly<Record<string, string>> = {},
): readonly BookField[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  const fields = Object.entries(properties).map(([name, field]) =>
    fieldOf(name, field, required.includes(name), meanings),
  );
  return fields.sort((one, other) => Number(other.isNeeded) - Number(one.isNeeded));
}

export function fieldOf(
  name: string,
  schema: Schema,
  isNeeded: boolean,
  meanings: Readonly<Record<string, string>>,
): BookField {
  const { text, value } = withoutDefault(schema.description ?? innerText(schema));
  const standard = value ?? (schema.default === undefined ? null : JSON.stringify(schema.default));
  return { name, schema, isNeeded, meaning: meanings[name] || text, standard };
}

/** What the one schema says that a field may have beside null. */
function innerText({ anyOf }: Schema): string {
  return anyOf?.find((one) => one.description !== undefined)?.description ?? "";
}

/** Texts of the document come from docstrings, whose lines are broken and begin with spaces. */
export function oneLine(text = ""): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
    .join("\n\n");
}
