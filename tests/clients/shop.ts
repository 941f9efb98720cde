// A shop that was written against the types which `openapi-typescript` makes with the options that it
// has from the start. It need only compile: test_typescript_types.py says so.
import type { NewResource, PlaceHold, paths } from "./schema";

type Answer<Call, Status extends number> = Call extends {
  responses: Record<Status, { content: infer Content }>;
}
  ? Content[keyof Content]
  : never;
type Availability = Answer<paths["/v1/resources/{resource_id}/availability"]["get"], 200>;

// What may be left out is left out.
export const hold: PlaceHold = { owner: "asha", lines: [{ resource_id: "res_kbq6mf4p", unit: "F7" }] };
export const talk: NewResource = {
  name: "Talk",
  kind: "talk",
  plan: { type: "pools", pools: [{ unit: "places", capacity: 20 }] },
};
// @ts-expect-error -- what is needed is needed
export const nameless: NewResource = { kind: "talk", plan: talk.plan };

// The type says which availability it is.
export function free(availability: Availability): number {
  switch (availability.type) {
    case "pools":
      return availability.pools["places"]?.available ?? 0;
    case "tickets":
      return availability.left;
    default:
      // @ts-expect-error -- others have no pools
      return availability.pools.length;
  }
}
