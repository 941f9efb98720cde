// The book that is read from a document and the reference.
import { expect, test } from "vitest";
import { idOf, readBook } from "./book";
import { oneLine } from "./fields";
import type { OpenApi } from "./openapi";
import type { Reference } from "./reference";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const problem = (code: string, retryable: boolean) => ({
  description: `Says\n    ${code}.`,
  type: "object",
  properties: {
    code: { type: "string", const: code },
    status: { type: "integer", const: 409 },
    retryable: { type: "boolean", const: retryable },
    line: { type: "integer" },
  },
  required: ["code", "status", "retryable"],
});
const document: OpenApi = {
  servers: [{ url: "https://tickets.example" }],
  tags: [
    { name: "Later", description: "" },
    { name: "First", description: "" },
  ],
  paths: {
    "/v1/a": {
      get: { operationId: "get_a", summary: "A", tags: ["First"], responses: { "200": {} } },
    },
    "/v1/holds": {
      post: {
        operationId: "place_hold",
        summary: "Place a hold",
        description: "Of the\n    document.",
        tags: ["Later"],
        requestBody: { content: { "application/json": { schema: ref("PlaceHold") } } },
        responses: {
          "201": { content: { "application/json": { schema: ref("HoldView") } } },
          "409": {
            content: {
              "application/problem+json": {
                schema: { oneOf: [ref("TakenProblem"), ref("BusyProblem")] },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      PlaceHold: {
        type: "object",
        properties: {
          alternatives: { type: "integer", description: "Default: 3" },
          owner: { type: "string" },
        },
        required: ["owner"],
      },
      HoldView: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      TakenProblem: problem("unit_taken", true),
      BusyProblem: problem("busy", false),
    },
  },
};
const reference: Reference = {
  calls: {
    "POST /v1/holds": {
      text: "Holds all of it.",
      answers: "a hold",
      also: "",
      errors: ["unit_taken"],
      fields: { body: { owner: "For whom." }, query: {}, answer: {} },
    },
  },
  errors: {
    unit_taken: {
      group: "No",
      status: 409,
      sqlstate: "BS010",
      retryable: true,
      meaning: "Taken (`line`). Nothing was held.",
      advice: "Offer others.",
    },
    sql_only: {
      group: "No",
      status: 409,
      sqlstate: "BS099",
      retryable: false,
      meaning: "Not over HTTP.",
      advice: "Nothing.",
    },
  },
  objects: { Hold: { id: "which hold" } },
};
const book = readBook(document, reference);
const hold = book.calls.find(({ id }) => id === "placeHold");

test("calls come in the order of their groups, and by the names of methods", () => {
  expect(book.calls.map(({ id }) => id)).toEqual(["placeHold", "getA"]);
  expect(idOf("list_each_one")).toBe("listEachOne");
});

test("the reference says what the document does not", () => {
  expect(hold?.text).toBe("Holds all of it.");
  expect(hold?.body?.fields).toMatchObject([
    { name: "owner", isNeeded: true, meaning: "For whom." },
    { name: "alternatives", isNeeded: false, meaning: "", standard: "3" },
  ]);
  expect(book.objects.find(({ name }) => name === "HoldView")?.fields[0]?.meaning).toBe(
    "which hold",
  );
  expect(book.objects.find(({ name }) => name === "PlaceHold")?.fields[0]?.meaning).toBe(
    "For whom.",
  );
});

test("a call that the reference does not know says what the document says", () => {
  const others = readBook(document, { calls: {}, errors: {}, objects: {} });
  const same = others.calls[0];
  expect(same?.text).toBe("Of the document.");
  expect(same?.errors).toEqual({ own: ["unit_taken", "busy"], common: [] });
  const [taken] = others.errors;
  expect(taken).toMatchObject({ code: "unit_taken", status: 409, retryable: true, advice: "" });
  expect(taken?.meaning).toBe("Says unit_taken.");
});

test("errors are those of the reference and of the document, each once, with who answers them", () => {
  expect(hold?.errors).toEqual({ own: ["unit_taken"], common: ["busy"] });
  expect(book.errors.map(({ code }) => code)).toEqual(["unit_taken", "sql_only", "busy"]);
  const [taken, sqlOnly] = book.errors;
  expect(taken?.calls.map(({ id }) => id)).toEqual(["placeHold"]);
  expect(taken?.example).toMatchObject({ type: "/docs#unit_taken", title: "Taken", status: 409 });
  expect([sqlOnly?.schema, sqlOnly?.example, sqlOnly?.calls]).toEqual([null, undefined, []]);
});

test("problems are no objects", () => {
  expect(book.objects.map(({ name }) => name)).toEqual(["HoldView", "PlaceHold"]);
});

test("lines of docstrings are joined, and paragraphs stay", () => {
  expect(oneLine("One\n    line.\n\n    Another.")).toBe("One line.\n\nAnother.");
});

test("what only one page shows is made when that is read, once", () => {
  let reads = 0;
  const counted = new Proxy(document.components.schemas, {
    get: (schemas, name: string) => {
      reads += 1;
      return schemas[name];
    },
  });
  const told = { ...document, components: { schemas: counted } };
  const others = readBook(told, reference);
  const before = reads;
  const first = others.calls[0]?.body?.example;
  expect(reads).toBeGreaterThan(before);
  expect(others.calls[0]?.body?.example).toBe(first);
  const [object] = others.objects;
  expect(object?.fields).toBe(object?.fields);
  expect(object?.example).toBe(object?.example);
});
