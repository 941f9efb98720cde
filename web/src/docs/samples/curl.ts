// A call as a command line of curl, for any shell of POSIX.
import { isStream, type SampleRequest } from "./request";
import { JSON_SYNTAX, literal } from "./literals";

const PARTS = " \\\n  ";
/** What an example is repeated with; a program takes a name of its own for each attempt. */
export const EXAMPLE_KEY = "order-4711";

export function curlOf(request: SampleRequest): string {
  const { method, server, target, key, body, bodyType, answerType } = request;
  const parts = [`curl ${isStream(request) ? "-sN" : "-s"} ${quoted(server + target)}`];
  // What has a body is a POST by itself.
  if (method !== (bodyType === null ? "GET" : "POST")) parts.push(`-X ${method}`);
  if (key !== null) parts.push(`-H "Authorization: Bearer $${key}"`);
  if (request.isRepeatable) parts.push(`-H "Idempotency-Key: ${EXAMPLE_KEY}"`);
  if (bodyType !== null) {
    parts.push(`-H "Content-Type: ${bodyType}"`);
    parts.push(request.isRaw ? "--data-binary @FILE" : `-d ${quoted(literal(body, JSON_SYNTAX))}`);
  }
  if (isFile(answerType)) parts.push("-O");
  return parts.join(PARTS);
}

/** Whether an answer is no text for a terminal. */
export function isFile(mediaType: string): boolean {
  return mediaType === "application/pdf" || mediaType.startsWith("image/");
}

/** As one word of the shell, in which nothing is replaced. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
