// The types of the public API, as everybody has them.
export type * from "../../../packages/core/schema.ts";
