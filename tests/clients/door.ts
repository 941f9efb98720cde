// @bespeak/server for the scenarios of the tests, which speak with it over pipes: each line that comes in
// names a verb and its arguments, and each that goes out is the answer to one of them, in any order.
import { BespeakError, Client, verify, WebhookInvalid } from "@bespeak/server";
import { createInterface } from "node:readline";

type Asked = {
  readonly id: number;
  readonly url: string;
  readonly key: string;
  readonly link: string | null;
  readonly verb: string;
  readonly arguments: readonly unknown[];
};
type Webhook = { readonly body: string; readonly headers: Record<string, string>; readonly secret: string };

const clients = new Map<string, Client>();

function clientOf({ url, key, link }: Asked): Client {
  const name = `${url} ${key} ${link}`;
  const client = clients.get(name) ?? new Client({ url, key, ...(link && { waitlistLink: link }) });
  clients.set(name, client);
  return client;
}

/** Everything that an iterator gives, up to the event of this kind if one is named. */
async function all(found: AsyncIterable<object>, until?: unknown): Promise<object[]> {
  const items: object[] = [];
  for await (const item of found) {
    items.push(item);
    if (until !== undefined && Reflect.get(item, "kind") === until) break;
  }
  return items;
}

async function answer(asked: Asked): Promise<unknown> {
  const [first, last] = asked.arguments;
  if (asked.verb === "verify") return received(first as Webhook);
  const client = clientOf(asked);
  if (asked.verb === "follow") return all(client.follow(first as object), last);
  if (asked.verb === "eachResource") return all(client.eachResource(first as object));
  if (asked.verb === "waitInLine") return all(client.waitInLine(...(asked.arguments as [string])));
  const verb: unknown = Reflect.get(client, asked.verb);
  if (typeof verb !== "function") throw new Error(`there is no verb ${asked.verb}`);
  return verb.apply(client, asked.arguments);
}

function received({ body, headers, secret }: Webhook): unknown {
  try {
    return verify(Buffer.from(body, "base64"), headers, secret);
  } catch (error) {
    if (error instanceof WebhookInvalid) return null;
    throw error;
  }
}

async function told(asked: Asked): Promise<object> {
  try {
    return { answer: (await answer(asked)) ?? null };
  } catch (error) {
    if (!(error instanceof BespeakError)) return { fault: error instanceof Error ? error.stack : "" };
    return { problem: error.problem, retry_after_seconds: error.retryAfterSeconds ?? null };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked;
  void told(asked).then((found) => {
    process.stdout.write(`${JSON.stringify({ id: asked.id, ...found })}\n`);
  });
}
process.exit(0);
