// A shop that was written against the types which `openapi-typescript` makes with the options that it
// has from the start. It need only compile: test_typescript_types.py says so.
import type { Availability, HoldState, NewResource, PlaceHold, paths } from "./schema";

type Answer<Call, Status extends number> = Call extends {
  responses: Record<Status, { content: infer Content }>;
}
  ? Content[keyof Content]
  : never;
type Seen = Answer<paths["/v1/resources/{resource_id}/availability"]["get"], 200>;
type Refusal = Answer<paths["/v1/holds"]["post"], 409>;

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
export const asked = (seen: Seen): Availability => seen;
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

// The code says what else a problem has.
export function sorry(problem: Refusal): string {
  switch (problem.code) {
    case "unit_taken":
      return problem.conflicts.map((one) => `${one.unit}: ${one.state}`).join(", ");
    case "sold_out":
      return `${problem.available ?? 0} left, ${problem.alternatives?.length ?? 0} offers`;
    case "resource_not_open":
      return problem.opens_at;
    default:
      // @ts-expect-error -- others have no conflicts
      return problem.conflicts;
  }
}

// A state is one of some words.
export const over: readonly HoldState[] = ["expired", "released"];
// @ts-expect-error -- which this is not
export const gone: HoldState = "gone";
