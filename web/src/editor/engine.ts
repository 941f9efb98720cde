// The engine's side of a document: reading the plan of a resource, saving it, making a resource of it.
// A document goes out as it is, without the defaults that the typed client would have us fill in.
import { idempotencyKey, isRecord, Problem, UNREACHABLE } from "~/api/client";
import { csrfHeader, noticeRefusal } from "~/console/session";
import type { SeatsPlan } from "~/seatmap/plan";
import { readDocument } from "./format/strict";
import type { Source } from "./state";

const SECONDS_MAX = 30;
const PAGE = 100;

export type Opened = { readonly plan: SeatsPlan; readonly source: Source };

/** A resource with seats, as a list of rooms shows it. */
export type RoomEntry = {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly startsAt: string | null;
  readonly timeZone: string | null;
  readonly plan: SeatsPlan | null;
};

type Document = Readonly<Record<string, unknown>>;

async function call(
  method: string,
  path: string,
  body?: unknown,
  repeat?: string,
): Promise<Document> {
  const headers: Record<string, string> = { ...csrfHeader(), Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (repeat !== undefined) headers["Idempotency-Key"] = repeat;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      signal: AbortSignal.timeout(SECONDS_MAX * 1000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Problem(0, { code: UNREACHABLE, retryable: true });
  }
  const answer: unknown = await response.json().catch(() => null);
  const document = isRecord(answer) ? answer : {};
  if (response.ok) return document;
  const problem = new Problem(response.status, document);
  noticeRefusal(response.status, problem.code);
  throw problem;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const orNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

function sourceOf(resource: Document): Source {
  const price = isRecord(resource["price"]) ? resource["price"] : {};
  return {
    id: text(resource["id"]),
    name: text(resource["name"]),
    version: typeof resource["version"] === "number" ? resource["version"] : 0,
    currency: orNull(price["currency"]),
  };
}

/** The plan of a resource. Throws the Problem of a refusal, also where its plan is no seat map. */
export async function openResource(id: string): Promise<Opened> {
  const resource = await call("GET", `/v1/resources/${encodeURIComponent(id)}`);
  const reading = readDocument(resource["plan"]);
  if (!("plan" in reading)) throw new Problem(422, { code: "no_seat_map" });
  return { plan: reading.plan, source: sourceOf(resource) };
}

/** Saves a document as the plan of its resource, if nobody has changed that since. */
export async function savePlan(plan: SeatsPlan, source: Source): Promise<Source> {
  const path = `/v1/resources/${encodeURIComponent(source.id)}`;
  return sourceOf(await call("PATCH", path, { plan, version: source.version }));
}

export type NewRoom = {
  readonly name: string;
  readonly startsAt: string | null;
  readonly timeZone: string;
  readonly price: { readonly amount: number; readonly currency: string } | null;
};

/** A key for making a resource: the same one, when it is tried again, makes no second. */
export const newRoomKey = idempotencyKey;

export async function createRoom(plan: SeatsPlan, room: NewRoom, key: string): Promise<Source> {
  const body = {
    name: room.name,
    plan,
    time_zone: room.timeZone,
    ...(room.startsAt !== null && { starts_at: room.startsAt }),
    ...(room.price !== null && { price: room.price }),
  };
  return sourceOf(await call("POST", "/v1/resources", body, key));
}

export type RoomPage = { readonly items: readonly RoomEntry[]; readonly next: string | null };

/** A page of the resources that have a seat map. */
export async function listRooms(after: string | null): Promise<RoomPage> {
  const query = new URLSearchParams({ limit: String(PAGE), ...(after !== null && { after }) });
  const page = await call("GET", `/v1/resources?${query}`);
  const items = Array.isArray(page["items"]) ? page["items"].filter(isRecord) : [];
  return {
    next: orNull(page["next"]),
    items: items
      .filter((resource) => isRecord(resource["plan"]) && resource["plan"]["type"] === "seats")
      .map((resource) => {
        const reading = readDocument(resource["plan"]);
        return {
          id: text(resource["id"]),
          name: text(resource["name"]),
          kind: text(resource["kind"]),
          startsAt: orNull(resource["starts_at"]),
          timeZone: orNull(resource["time_zone"]),
          plan: "plan" in reading ? reading.plan : null,
        };
      }),
  };
}
