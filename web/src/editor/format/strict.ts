// Reads a document of any origin strictly: what the format does not know is refused, with the place
// where it stands. What is taken is the document itself, its fields in their order, nothing added.
import type { SeatsPlan } from "~/seatmap/plan";
import { isRecord } from "~/api/client";
import { COORDINATE, PLAN, type Form, type Kind } from "./shape";

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

export type Reading = { readonly plan: SeatsPlan } | { readonly faults: readonly Fault[] };

const FAULTS_MAX = 20;
const CHARACTERS_MAX = 32_000_000;

/** A text of JSON as a seat map. */
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

/** A value as a seat map. */
export function readDocument(value: unknown): Reading {
  const faults: Fault[] = [];
  checkFields(value, PLAN, "", faults);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check above is the guard
  return faults.length > 0 ? { faults } : { plan: value as SeatsPlan };
}

/** Whether a plan has the form that the engine takes; what it means is another matter. */
export const faultsOf = (plan: SeatsPlan): readonly Fault[] => {
  const faults: Fault[] = [];
  checkFields(plan, PLAN, "", faults);
  return faults;
};

function checkFields(value: unknown, form: Form, path: string, faults: Fault[]): void {
  if (!isRecord(value)) {
    faults.push({ path, code: "wrong_kind", detail: "object" });
    return;
  }
  for (const needed of form.needed) {
    if (!Object.hasOwn(value, needed)) {
      faults.push({ path: joined(path, needed), code: "missing_field", detail: needed });
    }
  }
  for (const [name, own] of Object.entries(value)) {
    if (faults.length >= FAULTS_MAX) return;
    const kind = Object.hasOwn(form.fields, name) ? form.fields[name] : undefined;
    if (kind === undefined) {
      faults.push({ path: joined(path, name), code: "unknown_field", detail: name.slice(0, 60) });
    } else check(own, kind, joined(path, name), faults);
  }
}

const joined = (path: string, name: string): string =>
  path === "" ? name.slice(0, 60) : `${path}.${name.slice(0, 60)}`;

function check(value: unknown, kind: Kind, path: string, faults: Fault[]): void {
  const fault = (code: Fault["code"], detail: string) => faults.push({ path, code, detail });
  if (value === null && "nullable" in kind && kind.nullable) return;
  switch (kind.is) {
    case "text":
      if (typeof value !== "string") return void fault("wrong_kind", "text");
      if ([...value].length < kind.least || [...value].length > kind.most) {
        return void fault("wrong_length", `${kind.least}–${kind.most}`);
      }
      // oxlint-disable-next-line no-control-regex -- they are what is refused
      if (/[\u0000-\u001f\u007f]/u.test(value)) fault("wrong_characters", "");
      return;
    case "color":
      if (typeof value !== "string" || !/^#[0-9a-fA-F]{6}$/u.test(value))
        fault("wrong_kind", "#rrggbb");
      return;
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value))
        return void fault("wrong_kind", kind.is);
      if (kind.is === "integer" && !Number.isInteger(value))
        return void fault("wrong_kind", "integer");
      if (value < kind.least || value > kind.most)
        fault("out_of_bounds", `${kind.least}–${kind.most}`);
      return;
    case "flag":
      if (typeof value !== "boolean") fault("wrong_kind", "true / false");
      return;
    case "word":
      if (typeof value !== "string" || !kind.of.includes(value))
        fault("wrong_word", kind.of.join(", "));
      return;
    case "point":
      if (!Array.isArray(value) || value.length !== 2) return void fault("wrong_kind", "[x, y]");
      value.forEach((one: unknown, at) => check(one, COORDINATE, `${path}[${at}]`, faults));
      return;
    case "list":
      if (!Array.isArray(value)) return void fault("wrong_kind", "[ ]");
      if (value.length > kind.most) return void fault("too_many", String(kind.most));
      value.every((one: unknown, at) => {
        check(one, kind.of, `${path}[${at}]`, faults);
        return faults.length < FAULTS_MAX;
      });
      return;
    case "fields":
      return checkFields(value, kind.of, path, faults);
    case "oneOf": {
      const tag = isRecord(value) ? value[kind.tag] : undefined;
      const form =
        typeof tag === "string" && Object.hasOwn(kind.of, tag) ? kind.of[tag] : undefined;
      if (form === undefined) return void fault("wrong_word", Object.keys(kind.of).join(", "));
      return checkFields(value, form, path, faults);
    }
  }
}

/** A document as the text of a file. */
export const writeText = (plan: SeatsPlan): string => `${JSON.stringify(plan, null, 2)}\n`;
