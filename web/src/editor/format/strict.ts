// Reads a document of any origin strictly, by the format's own schema: what it does not know is refused
// with its place. What is taken is the document itself, its fields in their order, nothing added.
import schema from "../../../../docs/reference/seatmap.schema.json";
import type { SeatsPlan } from "~/seatmap/plan";
import { isRecord } from "~/api/client";

/** What is wrong and where, as `sections[2].rows[0].seats`; `code` names the words for it. */
export type Fault = {
  readonly path: string;
  readonly code:
    | "no_json"
    | "too_large"
    | "unknown_field"
    | "missing_field"
    | "wrong_kind"
    | "out_of_bounds"
    | "wrong_word"
    | "wrong_length"
    | "wrong_characters"
    | "too_many";
  /** What was expected, or what was found: a kind, bounds, words. */
  readonly detail: string;
};

type Reading = { readonly plan: SeatsPlan } | { readonly faults: readonly Fault[] };

/** As much of JSON Schema as the format's has in it. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: object };
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly maxProperties?: number;
  readonly prefixItems?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
};

const FAULTS_MAX = 20;
const CHARACTERS_MAX = 32_000_000;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the imported type has unions instead
const PARTS = new Map(Object.entries(schema.$defs as unknown as Record<string, Schema>));

export function readText(text: string): Reading {
  if (text.length > CHARACTERS_MAX) {
    return { faults: [{ path: "", code: "too_large", detail: String(CHARACTERS_MAX) }] };
  }
  try {
    return readDocument(JSON.parse(text));
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200) : "";
    return { faults: [{ path: "", code: "no_json", detail }] };
  }
}

export function readDocument(value: unknown): Reading {
  const faults = faultsOf(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check above is the guard
  return faults.length > 0 ? { faults } : { plan: value as SeatsPlan };
}

/** Where a value has not the form that the engine takes; what it means is another matter. */
export function faultsOf(value: unknown): Fault[] {
  const faults: Fault[] = [];
  check(value, { $ref: schema.$ref }, "", faults);
  return faults;
}

function check(value: unknown, schemaOf: Schema, path: string, faults: Fault[]): void {
  if (faults.length >= FAULTS_MAX) return;
  const own =
    schemaOf.$ref === undefined ? schemaOf : PARTS.get(schemaOf.$ref.replace("#/$defs/", ""));
  if (own === undefined) throw new Error(`the schema has no ${schemaOf.$ref}`);
  if (own.anyOf) return checkAny(value, own, path, faults);
  if (own.type === "object") return checkFields(value, own, path, faults);
  if (own.type === "array") return checkList(value, own, path, faults);
  const fault = faultOf(value, own);
  if (fault) faults.push({ path, ...fault });
}

function faultOf(value: unknown, own: Schema): Omit<Fault, "path"> | null {
  const { minimum, maximum, minLength = 0, maxLength, pattern } = own;
  if (own.enum) {
    const isOne = typeof value === "string" && own.enum.includes(value);
    return isOne ? null : { code: "wrong_word", detail: own.enum.join(", ") };
  }
  if (own.type === "boolean") {
    return typeof value === "boolean" ? null : { code: "wrong_kind", detail: "true / false" };
  }
  if (own.type === "string") {
    if (typeof value !== "string") return { code: "wrong_kind", detail: "text" };
    const length = [...value].length;
    if (length < minLength || (maxLength !== undefined && length > maxLength)) {
      return { code: "wrong_length", detail: `${minLength}–${maxLength}` };
    }
    if (pattern === undefined || new RegExp(pattern, "u").test(value)) return null;
    return pattern.startsWith("^#")
      ? { code: "wrong_kind", detail: "#rrggbb" }
      : { code: "wrong_characters", detail: "" };
  }
  const isNumber = own.type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  if (typeof value !== "number" || !isNumber) return { code: "wrong_kind", detail: own.type ?? "" };
  const isIn = value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
  return isIn ? null : { code: "out_of_bounds", detail: `${minimum}–${maximum}` };
}

/** Something that may be null, or one of several forms by its tag. */
function checkAny(value: unknown, own: Schema, path: string, faults: Fault[]): void {
  const options = own.anyOf ?? [];
  if (own.discriminator === undefined) {
    const [first] = options;
    if (value !== null && first) check(value, first, path, faults);
    return;
  }
  const { propertyName, mapping } = own.discriminator;
  const forms = new Map<unknown, unknown>(Object.entries(mapping));
  const ref = forms.get(isRecord(value) ? value[propertyName] : undefined);
  if (typeof ref === "string") check(value, { $ref: ref }, path, faults);
  else faults.push({ path, code: "wrong_word", detail: [...forms.keys()].join(", ") });
}

function checkFields(value: unknown, own: Schema, path: string, faults: Fault[]): void {
  if (!isRecord(value)) return void faults.push({ path, code: "wrong_kind", detail: "object" });
  const fields = own.properties ?? {};
  const at = (name: string) => `${path}${path === "" ? "" : "."}${name.slice(0, 60)}`;
  for (const needed of own.required ?? []) {
    if (!Object.hasOwn(value, needed)) {
      faults.push({ path: at(needed), code: "missing_field", detail: needed });
    }
  }
  const { maxProperties = Infinity, propertyNames, additionalProperties: others } = own;
  if (Object.keys(value).length > maxProperties) {
    return void faults.push({ path, code: "too_many", detail: String(maxProperties) });
  }
  for (const [name, part] of Object.entries(value)) {
    const other = typeof others === "object" ? others : undefined;
    const field = Object.hasOwn(fields, name) ? fields[name] : other;
    if (propertyNames) check(name, { type: "string", ...propertyNames }, at(name), faults);
    if (field) check(part, field, at(name), faults);
    else faults.push({ path: at(name), code: "unknown_field", detail: name.slice(0, 60) });
    if (faults.length >= FAULTS_MAX) return;
  }
}

function checkList(value: unknown, own: Schema, path: string, faults: Fault[]): void {
  const { prefixItems: parts, maxItems = Infinity, items } = own;
  if (!Array.isArray(value)) {
    return void faults.push({ path, code: "wrong_kind", detail: parts ? "[x, y]" : "[ ]" });
  }
  if (parts && value.length !== parts.length) {
    return void faults.push({ path, code: "wrong_kind", detail: "[x, y]" });
  }
  if (value.length > maxItems) {
    return void faults.push({ path, code: "too_many", detail: String(maxItems) });
  }
  value.every((one: unknown, at) => {
    const part = parts?.[at] ?? items;
    if (part) check(one, part, `${path}[${at}]`, faults);
    return faults.length < FAULTS_MAX;
  });
}

export const writeText = (plan: SeatsPlan): string => `${JSON.stringify(plan, null, 2)}\n`;
