// The samples in three languages, as they are copied.
import { expect, test } from "vitest";
import { Client } from "../../../../packages/server/src/client.ts";
import { readBook, type BookCall } from "../book/book";
import type { OpenApi, Operation, Schema } from "../book/openapi";
import { curlOf, quoted } from "./curl";
import { javascriptOf } from "./javascript";
import { JAVASCRIPT, JSON_SYNTAX, literal, PYTHON } from "./literals";
import { pythonOf } from "./python";
import { idsOf, requestOf, type OwnValues } from "./request";
import verbs from "./verbs.json";

const SERVER = "https://tickets.example/";
const SEAT = { resource_id: "res_kbq6mf4p", unit: "F7" };
const BY_SERVER = [{ secret: [] }, { admin: [] }];
const ID: Schema = { type: "string", pattern: "^[a-z]+_[0-9a-z]+$" };

function operation(operationId: string, more: Partial<Operation> = {}): Operation {
  const responses = { "200": { content: { "application/json": { schema: {} } } } };
  return { operationId, summary: "", tags: ["T"], responses, security: BY_SERVER, ...more };
}

const body = (example: unknown): NonNullable<Operation["requestBody"]> => ({
  required: true,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Some" }, example } },
});
const inPath = (name: string) => ({ name, in: "path", required: true, schema: ID });
const KEY = { name: "Idempotency-Key", in: "header", schema: { type: "string" } };
const answering = (type: string) => ({ "200": { content: { [type]: { schema: {} } } } });

const document: OpenApi = {
  servers: [{ url: "/" }],
  tags: [{ name: "T", description: "" }],
  components: { schemas: { Some: { type: "object", properties: {} } } },
  paths: {
    "/v1/holds": {
      post: operation("place_hold", {
        parameters: [KEY],
        requestBody: body({ owner: "o'hara", lines: [SEAT] }),
      }),
    },
    "/v1/holds/{hold_id}": {
      get: operation("get_hold", { parameters: [inPath("hold_id")] }),
      delete: operation("release_hold", { parameters: [inPath("hold_id"), KEY] }),
    },
    "/v1/holds/{hold_id}/extend": {
      post: operation("extend_hold", {
        parameters: [inPath("hold_id")],
        requestBody: body({ seconds: 600 }),
      }),
    },
    "/v1/resources": {
      get: operation("list_resources", {
        parameters: [{ name: "limit", in: "query", schema: { type: "integer" }, example: 20 }],
      }),
      post: operation("create_resource", {
        security: [{ admin: [] }, { restricted: ["manage"] }],
        requestBody: body({ name: "Talk", published: true, pricing: null }),
      }),
    },
    "/v1/waitlists/{waitlist_id}/entries": {
      post: operation("join_waitlist", {
        parameters: [inPath("waitlist_id")],
        requestBody: body({
          wish: { party: 2, places: [{ resource_id: SEAT.resource_id }] },
          contact: { email: "asha@example.com" },
        }),
      }),
    },
    "/v1/waiting-rooms/{waiting_room_id}/invite-batches/{batch}": {
      delete: operation("revoke_invite_batch", {
        parameters: [
          inPath("waiting_room_id"),
          { name: "batch", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
        ],
      }),
    },
    "/v1/audit-log": {
      get: operation("list_audit_entries", {
        parameters: [{ name: "actor", in: "query", schema: { type: "string" }, example: "a b" }],
      }),
    },
    "/v1/bookings/{booking_id}/tickets.pdf": {
      get: operation("get_tickets_pdf", {
        parameters: [inPath("booking_id")],
        responses: answering("application/pdf"),
      }),
    },
    "/v1/callback": {
      post: operation("take_callback", {
        security: [],
        requestBody: { required: true, content: { "application/json": { schema: {} } } },
      }),
    },
    "/v1/stream": { get: operation("stream_it", { responses: answering("text/event-stream") }) },
  },
};
const book = readBook(document, { calls: {}, errors: {}, objects: {} });

function requested(operationId: string, own: OwnValues = {}) {
  const call = book.calls.find((one): one is BookCall => one.operationId === operationId);
  if (call === undefined) throw new Error(operationId);
  return requestOf(call, book.schemas, SERVER, own);
}

test("curl: a body, a key, and a name to repeat it by, in one command of the shell", () => {
  expect(curlOf(requested("place_hold"))).toBe(
    String.raw`curl -s 'https://tickets.example/v1/holds' \
  -H "Authorization: Bearer $SK" \
  -H "Idempotency-Key: order-4711" \
  -H "Content-Type: application/json" \
  -d '{
  "owner": "o'\''hara",
  "lines": [{ "resource_id": "res_kbq6mf4p", "unit": "F7" }]
}'`,
  );
});

test("curl: methods, queries, files, streams and what comes raw", () => {
  const id = "hold_01m7y6w4dch6q8wthwjv3wd2xy";
  expect(curlOf(requested("release_hold"))).toContain(`/v1/holds/${id}' \\\n  -X DELETE \\\n`);
  expect(curlOf(requested("get_hold"))).not.toContain("-X");
  expect(curlOf(requested("list_audit_entries"))).toContain("/v1/audit-log?actor=a+b'");
  expect(curlOf(requested("get_tickets_pdf"))).toMatch(/-O$/);
  expect(curlOf(requested("stream_it"))).toContain("curl -sN ");
  expect(curlOf(requested("take_callback"))).toBe(
    "curl -s 'https://tickets.example/v1/callback' \\\n" +
      '  -H "Content-Type: application/json" \\\n  --data-binary @FILE',
  );
});

test("curl: what a reader puts in does not get out of its quotes", () => {
  expect(quoted("'; rm -rf ~; '")).toBe(String.raw`''\''; rm -rf ~; '\'''`);
  const own = { hold_01m7y6w4dch6q8wthwjv3wd2xy: "../x' $(y)" };
  expect(curlOf(requested("get_hold", own))).toContain(String.raw`/v1/holds/..%2Fx'\''%20%24(y)'`);
});

test("Python: a verb, with lines as structs", () => {
  expect(pythonOf(requested("place_hold"))).toBe(`import os

from bespeak import Line
from bespeak.client import SyncClient

with SyncClient("https://tickets.example", os.environ["SK"]) as client:
    answer = client.place_hold(
        owner="o'hara",
        lines=[Line(resource_id="res_kbq6mf4p", unit="F7")],
    )
    print(answer)`);
});

test("Python: values of the path and the body by place and by name", () => {
  const id = "hold_01m7y6w4dch6q8wthwjv3wd2xy";
  expect(pythonOf(requested("extend_hold"))).toContain(`client.extend_hold("${id}", seconds=600)`);
  expect(pythonOf(requested("list_resources"))).toContain("client.list_resources(limit=20)");
  const made = pythonOf(requested("create_resource"));
  expect(made).toContain('os.environ["AK"]');
  expect(made).toContain("from msgspec import convert\n\nfrom bespeak import NewResource\n");
  expect(made.replaceAll(/\s+/g, " ")).toContain(
    'convert({"name": "Talk", "published": True, "pricing": None}, NewResource)',
  );
});

test("a wish is a struct, and a number of the path is no text", () => {
  const joined = pythonOf(requested("join_waitlist"));
  expect(joined).toContain("from bespeak import Contact, WaitlistWish, WantedPlace\n");
  expect(joined.replaceAll(/\s+/g, " ")).toContain(
    'WaitlistWish(party=2, places=[WantedPlace(resource_id="res_kbq6mf4p")]), contact=Contact(',
  );
  expect(pythonOf(requested("revoke_invite_batch"))).toMatch(/revoke_invite_batch\(".*", 1\)/);
  expect(javascriptOf(requested("revoke_invite_batch"))).toMatch(/revokeInviteBatch\(".*", 1\)/);
});

test("Python: without a verb by call, and without JSON by httpx", () => {
  expect(pythonOf(requested("list_audit_entries"))).toContain(
    'client.call("GET", "/v1/audit-log?actor=a+b", dict)',
  );
  expect(pythonOf(requested("get_tickets_pdf"))).toContain("httpx.request(");
  expect(pythonOf(requested("stream_it"))).toContain("with httpx.stream(");
  const raw = pythonOf(requested("take_callback"));
  expect(raw).toContain("from pathlib import Path\n\nimport httpx");
  expect(raw).not.toContain("import os");
});

test("JavaScript: a verb, and call where there is none", () => {
  expect(javascriptOf(requested("place_hold"))).toBe(`import { Client } from "@bespeak/server";

const bespeak = new Client({ url: "https://tickets.example", key: process.env.SK });
const answer = await bespeak.placeHold({
  owner: "o'hara",
  lines: [{ resource_id: "res_kbq6mf4p", unit: "F7" }],
});
console.log(answer);`);
  const id = "hold_01m7y6w4dch6q8wthwjv3wd2xy";
  expect(javascriptOf(requested("extend_hold"))).toContain(`bespeak.extendHold("${id}", 600)`);
  expect(javascriptOf(requested("list_resources"))).toContain("listResources({ limit: 20 })");
  expect(javascriptOf(requested("list_audit_entries"))).toContain(
    'bespeak.call("GET", "/v1/audit-log?actor=a+b")',
  );
  expect(javascriptOf(requested("get_tickets_pdf"))).toContain("await fetch(");
  expect(javascriptOf(requested("stream_it"))).toContain("for await (const part of answer.body)");
});

test("what a reader has of ids is put into all of it", () => {
  const own = { res_kbq6mf4p: "res_00000001" };
  expect(idsOf(requested("place_hold"))).toEqual(["res_kbq6mf4p"]);
  for (const write of [curlOf, pythonOf, javascriptOf]) {
    expect(write(requested("place_hold", own))).toContain("res_00000001");
    expect(write(requested("place_hold", { res_kbq6mf4p: "" }))).toContain("res_kbq6mf4p");
  }
});

test("every verb of JavaScript is one of the client", () => {
  const methods = new Set<string>();
  for (
    let of: object = Client.prototype;
    of !== Object.prototype;
    of = Object.getPrototypeOf(of) as object
  )
    for (const name of Object.getOwnPropertyNames(of)) methods.add(name);
  for (const { javascript } of Object.values(verbs)) expect(methods).toContain(javascript[0]);
});

test("literals are short where they can be", () => {
  expect(literal({}, JSON_SYNTAX)).toBe("{}");
  expect(literal([1, null, true], PYTHON)).toBe("[1, None, True]");
  expect(literal({ "a-b": "é\n" }, JAVASCRIPT)).toBe(String.raw`{ "a-b": "é\n" }`);
  const long = { one: "x".repeat(50), other: "y".repeat(50) };
  expect(JSON.parse(literal({ long, more: [long] }, JSON_SYNTAX))).toEqual({ long, more: [long] });
});
