// The words of stays that programs compare; the page has them in its language.
import type { FoundListing, FoundProperty } from "~/api/schema";

export type PropertyKind = FoundProperty["kind"];
export type AmenityName = FoundListing["amenities"][number];

export const KINDS = [
  "hotel",
  "guesthouse",
  "hostel",
  "apartment",
  "house",
  "cabin",
  "campsite",
] as const satisfies readonly PropertyKind[];

export const AMENITIES = [
  "wifi",
  "parking",
  "breakfast",
  "kitchen",
  "washer",
  "air_conditioning",
  "heating",
  "workspace",
  "pool",
  "sauna",
  "gym",
  "garden",
  "balcony",
  "sea_view",
  "pets",
  "family",
  "step_free",
  "elevator",
  "bar",
  "restaurant",
  "front_desk",
  "luggage",
  "bicycles",
  "charging",
] as const satisfies readonly AmenityName[];
