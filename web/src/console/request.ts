// Calls whose path is made as the page runs (lists with a query, verticals by their name), with the
// same refusals and the same session as the typed client.
import { idempotencyKey, isRecord, Problem, UNREACHABLE } from "~/api/client";
import { withQuery, type Params } from "./parts/query";
import { csrfHeader, noticeRefusal } from "./session";

const SECONDS_MAX = 60;

/** Reads a list or a document. */
export async function read<T>(path: string, params: Params = {}): Promise<T> {
  return send<T>("GET", withQuery(path, params));
}

/** Writes, once: a key lets the server know a repeat. */
export async function write<T>(path: string, body: unknown): Promise<T> {
  return send<T>("POST", path, body);
}

async function send<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json", ...csrfHeader() };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    headers["idempotency-key"] = idempotencyKey();
  }
  const response = await reach(path, {
    method,
    headers,
    signal: AbortSignal.timeout(SECONDS_MAX * 1000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  const document: unknown = await response.json().catch(() => null);
  const problem = new Problem(response.status, isRecord(document) ? document : {});
  noticeRefusal(problem.status, problem.code);
  throw problem;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new Problem(0, {
      code: UNREACHABLE,
      detail: "The server cannot be reached",
      retryable: true,
    });
  }
}
