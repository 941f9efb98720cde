// Webhooks as they are received: whether one is really the server's, and what it says. The signature
// is that of Standard Webhooks.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Event } from "../../core/schemas.ts";

/** The signature is not of this secret, the message is old, or its body is none. Answer 400. */
export class WebhookInvalid extends Error {
  override readonly name = "WebhookInvalid";
}

/** What a webhook says. `id` is the same whenever it is delivered again; `event` is as the feed has it,
 * null for a test. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly event: Event | null;
};

/** The headers of a request: those of `node:http` and Express, or of `fetch`. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TEST = "webhook.test";
const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";

/** The event of a webhook, from the raw body and the headers of its request. Throws WebhookInvalid. */
export function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent {
  const id = header(headers, "webhook-id");
  const stamp = header(headers, "webhook-timestamp");
  const seconds = /^\d{1,12}$/.test(stamp) ? Number(stamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1000 - seconds) <= TOLERANCE_SECONDS)) {
    throw new WebhookInvalid("the timestamp is not of the last five minutes");
  }
  const key = Buffer.from(secret.replace(SECRET_PREFIX, ""), "base64");
  if (key.length === 0) throw new WebhookInvalid("the secret is none");
  const made = createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest();
  const isSigned = header(headers, "webhook-signature")
    .split(" ")
    .some((signature) => isOf(signature, made));
  if (!isSigned) throw new WebhookInvalid("no signature is of this secret");
  return { id, ...readBody(body) };
}

function header(headers: WebhookHeaders, name: string): string {
  const found = headers instanceof Headers ? headers.get(name) : inRecord(headers, name);
  if (typeof found !== "string" || found === "") {
    throw new WebhookInvalid(`the header ${name} is missing`);
  }
  return found;
}

function inRecord(
  headers: Exclude<WebhookHeaders, Headers>,
  name: string,
): string | readonly string[] | undefined {
  return Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
}

function isOf(signature: string, made: Buffer): boolean {
  const [version, text = ""] = signature.split(",");
  const told = Buffer.from(text, "base64");
  return version === "v1" && told.length === made.length && timingSafeEqual(told, made);
}

function readBody(body: string | Uint8Array): Omit<WebhookEvent, "id"> {
  let found: unknown;
  try {
    const text =
      typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body);
    found = JSON.parse(text);
  } catch (error) {
    throw new WebhookInvalid("the body is no JSON", { cause: error });
  }
  const { type, timestamp, data }: { type?: unknown; timestamp?: unknown; data?: unknown } =
    typeof found === "object" && found !== null ? found : {};
  if (typeof type !== "string" || typeof timestamp !== "string") {
    throw new WebhookInvalid("the body is no message");
  }
  if (type !== TEST && !isEvent(data)) throw new WebhookInvalid("the message has no event");
  return { type, timestamp, event: isEvent(data) ? data : null };
}

// Signed by the server, so that its other fields are as the document says.
function isEvent(data: unknown): data is Event {
  return typeof data === "object" && data !== null && "cursor" in data && "kind" in data;
}
