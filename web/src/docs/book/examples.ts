// An example of a schema: what the document shows itself, else a plain value that the schema takes.
import { componentOf, optionsOf, resolved, type Schema, type Schemas } from "./openapi";
import { takes, textOf } from "./pattern";

/** What fields of these names are like, where the schema says no more than that they are texts. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  resource_id: "res_kbq6mf4p",
  room_id: "res_kbq6mf4p",
  hold_id: "hold_01m7y6w4dch6q8wthwjv3wd2xy",
  booking_id: "bkg_01m7y6w4dch6q8wthwjv3wd2xy",
  payment_id: "pay_01m7y6w4dch6q8wthwjv3wd2xy",
  refund_id: "ref_01m7y6w4dch6q8wthwjv3wd2xy",
  block_id: "blk_01m7y6w4dch6q8wthwjv3wd2xy",
  erasure_id: "era_01m7y6w4dch6q8wthwjv3wd2xy",
  mail_id: "01977d3e-8f5a-7c31-9f0e-2b6a4c8d1e57",
  owner: "asha",
  unit: "F7",
  currency: "EUR",
  email: "asha@example.com",
  name: "A quiet evening",
  url: "https://shop.example.com/hooks",
  reason: "the guest is ill",
  time_zone: "Europe/Berlin",
  language: "en",
  lang: "en",
  provider: "sandbox",
  index: 1,
  from: "2026-12-01T18:00:00Z",
  to: "2026-12-02T18:00:00Z",
  request_id: "bd6cbafe60a74",
  "Idempotency-Key": "order-4711",
  "Bespeak-Owner": "asha",
};
const INSTANT = "2026-11-22T18:00:00Z";
const BY_FORMAT: Readonly<Record<string, string>> = {
  "date-time": INSTANT,
  date: "2026-12-01",
  uuid: "01977d3e-8f5a-7c31-9f0e-2b6a4c8d1e57",
  email: "asha@example.com",
};
const DEPTH_MAX = 5;

/** An example of a schema. `name` is of the field that it is in. */
export function exampleOf(schema: Schema, schemas: Schemas, name = "", depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const component = componentOf(schema);
  if (component !== null) return exampleOf(schemas[component] ?? {}, schemas, name, depth);
  if (typeof schema.examples?.[0] === "object") return schema.examples[0];
  const [first] = optionsOf(schema);
  if (first !== undefined && first !== schema) return exampleOf(first, schemas, name, depth);
  switch (schema.type) {
    case "object":
      return objectOf(schema, schemas, depth);
    case "array":
      return arrayOf(schema, schemas, name, depth);
    case "integer":
    case "number":
      return numberOf(schema, name);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return stringOf(schema, name);
  }
}

/** The fields that must be there; of a struct that needs none, the first that is simple. */
function objectOf(schema: Schema, schemas: Schemas, depth: number): unknown {
  const properties = schema.properties ?? {};
  const needed = schema.required ?? [];
  const simple = Object.keys(properties).find((name) => isSimple(properties[name], schemas));
  const shown = needed.length > 0 || depth > 0 || simple === undefined ? needed : [simple];
  const values = shown.flatMap((name) => {
    const field = properties[name];
    return field === undefined ? [] : [[name, exampleOf(field, schemas, name, depth + 1)]];
  });
  return Object.fromEntries(values);
}

function isSimple(field: Schema | undefined, schemas: Schemas): boolean {
  if (field === undefined) return false;
  const [option] = optionsOf(resolved(field, schemas));
  return option !== undefined && option.type !== "array" && option.type !== "object";
}

function arrayOf(schema: Schema, schemas: Schemas, name: string, depth: number): unknown {
  if (schema.prefixItems !== undefined)
    return schema.prefixItems.map((item) => exampleOf(item, schemas, "", depth + 1));
  if (schema.items === undefined || depth >= DEPTH_MAX) return [];
  return [exampleOf(schema.items, schemas, name.replace(/s$/, ""), depth + 1)];
}

function numberOf({ minimum, maximum }: Schema, name: string): number {
  if (name === "status") return 409;
  return Math.min(Math.max(minimum ?? 1, 1), maximum ?? Number.MAX_SAFE_INTEGER);
}

function stringOf(schema: Schema, name: string): unknown {
  const byName = BY_NAME[name];
  const isTaken = schema.pattern === undefined || takes(schema.pattern, String(byName));
  const example = schema.examples?.[0];
  if (schema.format !== undefined && BY_FORMAT[schema.format] !== undefined)
    return BY_FORMAT[schema.format];
  if (byName !== undefined && isTaken) return byName;
  if (example !== undefined) return example;
  if (name.endsWith("_at") || ["at", "until", "since"].includes(name)) return INSTANT;
  if (schema.pattern !== undefined) return textOf(schema.pattern) ?? "…";
  return "…".padEnd(schema.minLength ?? 1, "…");
}
