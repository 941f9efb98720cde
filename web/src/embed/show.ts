// The show that the page demonstrates: the one in its address, or one that this server sells.
import { isRecord } from "~/api/client";
import type { Values } from "./samples";

type Missing = { missing: "no_show" | "closed" };

const LOOKED_AT = 20;

export async function findShow(): Promise<Values | Missing> {
  const { origin, search } = globalThis.location;
  const asked = new URLSearchParams(search);
  const [resource, key] = [asked.get("resource"), asked.get("key")];
  if (resource && key) return { origin, resource, key };
  const session = await ask("/v1/box-office/session", {
    method: "POST",
    body: "{}",
    headers: { "Content-Type": "application/json" },
  });
  const own = session?.["publishable_key"];
  if (typeof own !== "string") return { missing: "closed" };
  if (resource) return { origin, resource, key: own };
  const headers = { Authorization: `Bearer ${own}` };
  const page = await ask(`/v1/resources?kind=show&limit=${LOOKED_AT}`, { headers });
  const items = Array.isArray(page?.["items"]) ? page["items"] : [];
  for (const item of items) {
    if (!isRecord(item) || !isRecord(item["plan"]) || typeof item["id"] !== "string") continue;
    if (item["plan"]["type"] === "seats") return { origin, resource: item["id"], key: own };
  }
  return { missing: "no_show" };
}

async function ask(path: string, options: RequestInit): Promise<Record<string, unknown> | null> {
  try {
    const answer = await fetch(path, options);
    const body: unknown = await answer.json();
    return answer.ok && isRecord(body) ? body : null;
  } catch {
    return null;
  }
}
