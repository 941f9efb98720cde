// A call as a program of `bespeak.client`: by its verb, else by `call`; with httpx where the answer or
// the body is no JSON, for which the client has no way.
import { Code, literal, PYTHON } from "./literals";
import { isOfClients, isStream, pathValue, type SampleRequest } from "./request";
import { verbOf } from "./verbs";

type Named = readonly [string, unknown];

export function pythonOf(request: SampleRequest): string {
  if (!isOfClients(request)) return withHttpx(request);
  const verb = verbOf(request.operationId, "python");
  const made = verb === null ? byCall(request) : byVerb(verb, request);
  const structs = [...made.structs].filter((name) => name !== "convert").toSorted();
  const imports = [
    ...(request.key === null ? [] : ["import os", ""]),
    ...(made.structs.has("convert") ? ["from msgspec import convert", ""] : []),
    ...(structs.length > 0 ? [`from bespeak import ${structs.join(", ")}`] : []),
    "from bespeak.client import SyncClient",
  ];
  return [
    ...imports,
    "",
    `with SyncClient(${JSON.stringify(request.server)}, ${keyOf(request)}) as client:`,
    `    answer = ${literal(made.code, PYTHON, 1, 9)}`,
    "    print(answer)",
  ].join("\n");
}

type Made = { readonly code: Code; readonly structs: ReadonlySet<string> };

function byCall({ method, target, body }: SampleRequest): Made {
  const entries: Named[] = [
    ["", method],
    ["", target],
    ["", new Code("dict", [], "")],
    ...(body === undefined ? [] : [["", body] as const]),
  ];
  return { code: new Code("client.call(", entries, ")"), structs: new Set() };
}

function byVerb([name = "", ...wanted]: readonly string[], request: SampleRequest): Made {
  const structs = new Set<string>();
  const left = { ...(request.body as Record<string, unknown> | undefined) };
  const struct = name === "block" ? "BlockLine" : "Line";
  const shown = (field: string, value: unknown) =>
    field === "lines"
      ? linesOf(value, struct, structs)
      : field === "resources"
        ? blocksOf(value, structs)
        : field === "holds"
          ? holdsOf(value, structs)
          : field === "contact"
            ? structOf("Contact", value, structs)
            : field === "wish"
              ? wishOf(value, structs)
              : value;
  const entries = wanted.flatMap((argument): Named[] => {
    const [place = "", field = ""] = argument.split(/[.:]/);
    if (argument === "*body")
      return Object.entries(left).map(([key, value]) => [`${key}=`, shown(key, value)]);
    if (argument === "*query")
      return Object.entries(request.query).map(([key, value]) => [`${key}=`, value]);
    if (place === "path") return [["", pathValue(request, field)]];
    if (argument.startsWith("query:")) return [];
    if (argument.startsWith("body:")) return [["", converted(left, field, structs)]];
    const value = left[field];
    delete left[field];
    return value === undefined ? [] : [["", shown(field, value)]];
  });
  return { code: new Code(`client.${name}(`, entries, ")"), structs };
}

function linesOf(lines: unknown, struct: string, structs: Set<string>): unknown {
  return Array.isArray(lines) ? lines.map((line) => structOf(struct, line, structs)) : lines;
}

/** What of several resources is blocked. */
function blocksOf(resources: unknown, structs: Set<string>): unknown {
  if (!Array.isArray(resources)) return resources;
  return resources.map(({ resource_id, lines }: { resource_id: unknown; lines: unknown }) =>
    structOf(
      "ResourceBlock",
      { resource_id, lines: linesOf(lines, "BlockLine", structs) },
      structs,
    ),
  );
}

/** The holds of a batch. */
function holdsOf(holds: unknown, structs: Set<string>): unknown {
  if (!Array.isArray(holds)) return holds;
  return holds.map((hold: Record<string, unknown>) =>
    structOf("WantedHold", { ...hold, lines: linesOf(hold["lines"], "Line", structs) }, structs),
  );
}

/** What a party would take that waits. */
function wishOf(wish: unknown, structs: Set<string>): unknown {
  const { places, ...more } = wish as { places?: unknown };
  const shown = Array.isArray(places)
    ? { places: places.map((place) => structOf("WantedPlace", place, structs)) }
    : {};
  return structOf("WaitlistWish", { ...more, ...shown }, structs);
}

/** `Line(resource_id="…")`. What is a word of Python has a low line behind it. */
function structOf(name: string, value: unknown, structs: Set<string>): Code {
  structs.add(name);
  const entries = Object.entries(value as Record<string, unknown>).map(([key, one]): Named => [
    `${key === "from" ? "from_" : key}=`,
    one,
  ]);
  return new Code(`${name}(`, entries, ")");
}

function converted(value: unknown, struct: string, structs: Set<string>): Code {
  structs.add("convert").add(struct);
  return new Code(
    "convert(",
    [
      ["", value],
      ["", new Code(struct, [], "")],
    ],
    ")",
  );
}

const keyOf = ({ key }: SampleRequest): string =>
  key === null ? '"none"' : `os.environ["${key}"]`;

function withHttpx(request: SampleRequest): string {
  const { key, isRaw } = request;
  const libraries = [...(key === null ? [] : ["import os"]), ...(isRaw ? [PATH_IMPORT] : [])];
  const imports = [...libraries, ...(libraries.length > 0 ? [""] : []), "import httpx", ""];
  const call = httpxCall(request);
  if (isStream(request)) {
    return [
      ...imports,
      `with ${literal(call, PYTHON, 0, 5)} as answer:`,
      "    for line in answer.iter_lines():",
      "        print(line)",
    ].join("\n");
  }
  return [
    ...imports,
    `answer = ${literal(call, PYTHON, 0, 9)}`,
    "answer.raise_for_status()",
    'print(answer.headers["content-type"], len(answer.content))',
  ].join("\n");
}

const PATH_IMPORT = "from pathlib import Path";

function httpxCall(request: SampleRequest): Code {
  const { method, server, target, key, bodyType, body, isRaw } = request;
  const headers = {
    ...(key !== null && { Authorization: new Code(`f"Bearer {os.environ['${key}']}"`, [], "") }),
    ...(isRaw && { "Content-Type": bodyType }),
  };
  const sent: Named = isRaw
    ? ["content=", new Code('Path("FILE").read_bytes()', [], "")]
    : ["json=", body];
  const entries: Named[] = [
    ["", method],
    ["", server + target],
    ...(Object.keys(headers).length > 0 ? [["headers=", headers] as const] : []),
    ...(bodyType === null ? [] : [sent]),
    ...(isStream(request) ? [["timeout=", null] as const] : []),
  ];
  return new Code(`httpx.${isStream(request) ? "stream" : "request"}(`, entries, ")");
}
