// A call as a program of `@bespeak/server`: by its verb, else by `call`; with fetch where the answer or
// the body is no JSON, for which the client has no way.
import { Code, JAVASCRIPT, literal } from "./literals";
import { isOfClients, isStream, pathValue, type SampleRequest } from "./request";
import { verbOf } from "./verbs";

type Named = readonly [string, unknown];

export function javascriptOf(request: SampleRequest): string {
  if (!isOfClients(request)) return withFetch(request);
  const verb = verbOf(request.operationId, "javascript");
  const code = verb === null ? byCall(request) : byVerb(verb, request);
  const options = { url: request.server, key: new Code(keyOf(request), [], "") };
  return [
    'import { Client } from "@bespeak/server";',
    "",
    `const bespeak = ${literal(new Code("new Client(", [["", options]], ")"), JAVASCRIPT, 0, 16)};`,
    `const answer = await ${literal(code, JAVASCRIPT, 0, 21)};`,
    "console.log(answer);",
  ].join("\n");
}

function byCall({ method, target, body }: SampleRequest): Code {
  const entries: Named[] = [
    ["", method],
    ["", target],
    ...(body === undefined ? [] : [["", body] as const]),
  ];
  return new Code("bespeak.call(", entries, ")");
}

function byVerb([name, ...wanted]: readonly string[], request: SampleRequest): Code {
  const body = request.body as Record<string, unknown> | undefined;
  const values = wanted.map((argument) => {
    const [place = "", field] = argument.split(".");
    if (place === "path" && field !== undefined) return pathValue(request, field);
    if (place === "query") return Object.keys(request.query).length > 0 ? request.query : undefined;
    return field === undefined ? body : body?.[field];
  });
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return new Code(
    `bespeak.${name}(`,
    values.map((value): Named => ["", value]),
    ")",
  );
}

const keyOf = ({ key }: SampleRequest): string => (key === null ? '"none"' : `process.env.${key}`);

function withFetch(request: SampleRequest): string {
  const { method, server, target, key, bodyType, body, isRaw } = request;
  const headers = {
    ...(key !== null && { Authorization: new Code(`\`Bearer \${process.env.${key}}\``, [], "") }),
    ...(bodyType !== null && { "Content-Type": bodyType }),
  };
  const sent = isRaw
    ? new Code('await readFile("FILE")', [], "")
    : new Code("JSON.stringify(", [["", body]], ")");
  const options = {
    ...(method !== "GET" && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(bodyType !== null && { body: sent }),
  };
  const entries: Named[] = [
    ["", server + target],
    ...(Object.keys(options).length > 0 ? [["", options] as const] : []),
  ];
  return [
    ...(isRaw ? ['import { readFile } from "node:fs/promises";', ""] : []),
    `const answer = await ${literal(new Code("fetch(", entries, ")"), JAVASCRIPT, 0, 21)};`,
    isStream(request)
      ? "for await (const part of answer.body) process.stdout.write(part);"
      : 'console.log(answer.status, answer.headers.get("content-type"));',
  ].join("\n");
}
