// Calls whose path is made at run time (lists with a query, verticals by their name), with the same
// refusals and the same session as the typed client.
import { idempotencyKey, isRecord, Problem, reach } from "~/api/client";
import { withQuery, type Params } from "./parts/query";
import { csrfHeader, noticeRefusal } from "./session";

const SECONDS_MAX = 60;

export async function read<T>(path: string, params: Params = {}): Promise<T> {
  return send<T>(withQuery(path, params), { headers: csrfHeader() });
}

/** Writes with an idempotency key. */
export async function write<T>(path: string, body: unknown): Promise<T> {
  const headers = { ...csrfHeader(), "idempotency-key": idempotencyKey() };
  return send<T>(path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await reach(new Request(path, init), SECONDS_MAX);
  if (response.ok) return response.json();
  const document: unknown = await response.json().catch(() => null);
  const problem = new Problem(response.status, isRecord(document) ? document : {});
  noticeRefusal(problem.status, problem.code);
  throw problem;
}
