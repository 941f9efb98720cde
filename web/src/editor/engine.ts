// The engine's side of a document: reading the plan of a resource, saving it, making a resource of it;
// and what the engine makes of other things: rooms of the common kinds, CSV. Throws Problems.
import { Problem } from "~/api/client";
import type { MakeSeatMap } from "~/api/internal";
import type { NewResource, Resource } from "~/api/schema";
import { api } from "~/console/session";
import type { SeatsPlan } from "~/seatmap/plan";
import { asFull } from "./keepers/keeper";
import type { Source } from "./state";

const PAGE = 100;

type Opened = { readonly plan: SeatsPlan; readonly source: Source };
export type NewRoom = Pick<NewResource, "name" | "starts_at" | "time_zone" | "price" | "payment">;

type Told = Pick<Resource, "id" | "name" | "version" | "price">;
const sourceOf = ({ id, name, version, price }: Told): Source => ({
  id,
  name,
  version,
  currency: price.currency,
});

/** The plan of a resource. Throws the Problem of a refusal, also where its plan is no seat map. */
export async function openResource(id: string): Promise<Opened> {
  const resource = await api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } });
  if (resource.plan.type !== "seats") throw new Problem(422, { code: "no_seat_map" });
  return { plan: resource.plan, source: sourceOf(resource) };
}

/** Saves a document as the plan of its resource, if nobody has changed that since. */
export async function savePlan(plan: SeatsPlan, { id, version }: Source): Promise<Source> {
  const body = { plan: asFull(plan), version };
  const path = { resource_id: id };
  return sourceOf(await api.PATCH("/v1/resources/{resource_id}", { path, body }));
}

/** Makes a draft: guests do not find it, and nothing of it is sold, until somebody publishes it. With
 * the same key it makes no second. */
export async function createRoom(plan: SeatsPlan, room: NewRoom, key: string): Promise<Source> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine adds the defaults
  const body = { ...room, plan, published: false, state: "closed" } as NewResource;
  return sourceOf(await api.POST("/v1/resources", { body, key }));
}

export async function listRooms(after: { after?: string }) {
  const page = await api.GET("/v1/resources", { query: { limit: PAGE, ...after } });
  const items = page.items.flatMap((resource) =>
    resource.plan.type === "seats" ? [{ ...resource, plan: resource.plan }] : [],
  );
  return { items, next: page.next };
}

export async function makeRoomPlan(body: MakeSeatMap): Promise<SeatsPlan> {
  return (await api.POST("/v1/seat-maps/make", { body })).plan;
}

export async function readCsv(csv: string): Promise<SeatsPlan> {
  return (await api.POST("/v1/seat-maps/from-csv", { body: { csv } })).plan;
}

export async function writeCsv(plan: SeatsPlan): Promise<string> {
  const body = { plan: asFull(plan) };
  return (await api.POST("/v1/seat-maps/to-csv", { body })).csv;
}
