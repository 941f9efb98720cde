// What is asked for in the search of stays, as it stands in the page's address. What makes no sense there is as
// good as absent.
import type { Listing, NearlyFound } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";
import { isMonth } from "../calendar/month";
import { addDays, isDate } from "../days";
import { boxFrom } from "./box";
import { AMENITIES, KINDS, type AmenityName, type PropertyKind } from "./words";

export type View = "list" | "map";
export type Match = "all" | "any";
export const SORTS = ["distance", "recommended", "price", "rating"] as const;
export type Sort = (typeof SORTS)[number];
export const RATINGS = [9, 8, 7, 6] as const;
export type Wishes = {
  place: string;
  lat: number | null;
  lon: number | null;
  /** Metres around it; null is as far as is usual. */
  radius: number | null;
  /** Instead of a place, what the map shows: west,south,east,north; "" is none. */
  box: string;
  /** What a phone shows of what was found; a wide window has both. */
  view: View;
  start: string;
  end: string;
  /** So many days earlier or later will do, too. */
  flexible: number;
  /** Instead of dates, any stay that begins in a month, YYYY-MM; "" is none. */
  month: string;
  /** How many nights it has. */
  nights: number;
  /** On which days of the week it may begin, with commas; "" is any. */
  arrive: string;
  guests: number;
  /** Of the children among the guests. */
  ages: readonly number[];
  rooms: number;
  /** The rate that was chosen; "" is the usual one. */
  rate: string;
  /** The most a night may cost, in whole units of `currency`. */
  price: number | null;
  currency: string;
  kinds: readonly PropertyKind[];
  amenities: readonly AmenityName[];
  /** Whether it has to have all of the amenities, or one of them will do. */
  match: Match;
  /** What guests think of it at least, on average; null is whatever it is. */
  rating: number | null;
  sort: Sort;
};

/** Who is coming, and in how many rooms. */
export type Party = Pick<Wishes, "guests" | "ages" | "rooms">;
/** What of the wishes is of one stay, wherever it is. */
export type StayWishes = Party & Pick<Wishes, "start" | "end"> & Partial<Pick<Wishes, "rate">>;

export const GUESTS_MAX = 50;
export const CHILDREN_MAX = 10;
export const ADULT_AGE = 18;
export const ROOMS_MAX = 10;
export const NIGHTS_MAX = 366;
export const TEXT_MAX = 100;
const PRICE_MAX = 1_000_000;
const RADIUS_MAX = 100_000;
const FLEXIBLE_MAX = 7;
// The longest month and these are as many days as one search looks at.
const MONTH_NIGHTS_MAX = 31;
const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export const NO_WISHES: Wishes = {
  place: "",
  lat: null,
  lon: null,
  radius: null,
  box: "",
  view: "list",
  start: "",
  end: "",
  flexible: 0,
  month: "",
  nights: 0,
  arrive: "",
  guests: 2,
  ages: [],
  rooms: 1,
  rate: "",
  price: null,
  currency: "",
  kinds: [],
  amenities: [],
  match: "all",
  rating: null,
  sort: "distance",
};

export function wishesOf(search: string): Wishes {
  const params = new URLSearchParams(search);
  const text = (name: string) => (params.get(name) ?? "").replaceAll("\0", "").slice(0, TEXT_MAX);
  const [lat, lon] = [degrees(text("lat"), 90), degrees(text("lon"), 180)];
  const list = (name: string) => (params.get(name) ?? "").split(",");
  const guests = whole(text("guests"), 1, GUESTS_MAX) ?? NO_WISHES.guests;
  const currency = /^[A-Z]{3}$/.test(text("currency")) ? text("currency") : "";
  const price = currency === "" ? null : whole(text("price"), 1, PRICE_MAX);
  const box = text("box");
  const dates = datesOf(text("start"), text("end"));
  // Dates in the same address go before a month.
  const month = dates.start === "" ? text("month") : "";
  return {
    place: text("place").trim(),
    lat: lon === null ? null : lat,
    lon: lat === null ? null : lon,
    radius: whole(text("radius"), 100, RADIUS_MAX),
    box: boxFrom(box) === null ? "" : box,
    view: text("view") === "map" ? "map" : "list",
    ...dates,
    flexible: whole(text("flexible"), 0, FLEXIBLE_MAX) ?? 0,
    ...anyStayOf(month, text("nights"), text("arrive")),
    guests,
    ages: agesOf(text("ages"), guests),
    rooms: Math.min(guests, whole(text("rooms"), 1, ROOMS_MAX) ?? 1),
    rate: text("rate"),
    price,
    currency: price === null ? "" : currency,
    kinds: KINDS.filter((kind) => list("kinds").includes(kind)),
    amenities: AMENITIES.filter((one) => list("amenities").includes(one)),
    match: text("match") === "any" ? "any" : "all",
    rating: RATINGS.find((least) => String(least) === text("rating")) ?? null,
    sort: SORTS.find((sort) => sort === text("sort")) ?? "distance",
  };
}

/** The ages of children, with an adult at least beside them. */
function agesOf(text: string, guests: number): number[] {
  const ages = text.split(",").map((part) => whole(part, 0, ADULT_AGE - 1));
  return ages.filter((age) => age !== null).slice(0, Math.min(CHILDREN_MAX, guests - 1));
}

/** All of it, or none. */
function anyStayOf(month: string, count: string, arrive: string) {
  const nights = whole(count, 1, MONTH_NIGHTS_MAX);
  const days = arrive.split(",");
  if (!isMonth(month) || nights === null) return { month: "", nights: 0, arrive: "" };
  return { month, nights, arrive: WEEKDAYS.filter((day) => days.includes(day)).join(",") };
}

/** Both days, or none. */
export function datesOf(start: string, end: string): { start: string; end: string } {
  const isStay = isDate(start) && isDate(end) && start < end && end <= addDays(start, NIGHTS_MAX);
  return isStay ? { start, end } : { start: "", end: "" };
}

function degrees(text: string, most: number): number | null {
  const value = /^-?\d{1,3}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(value) <= most ? value : null;
}

function whole(text: string, least: number, most: number): number | null {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

/** Whether it is said where to look. */
export function isSomewhere({ lat, box }: Wishes): boolean {
  return lat !== null || box !== "";
}

/** The query string, without what is as it is by itself. */
export function searchOf(wishes: Wishes): string {
  const said: Record<string, string> = {};
  for (const [name, value] of Object.entries(wishes)) {
    const usual: unknown = Reflect.get(NO_WISHES, name);
    const text = Array.isArray(value) ? value.join(",") : value === null ? "" : String(value);
    if (text !== "" && value !== usual) said[name] = text;
  }
  return new URLSearchParams(said).toString();
}

/** The address of a listing with the dates and the guests that were asked for. */
export function listingHref(id: string, wishes: StayWishes): string {
  const { start, end, guests, ages, rooms, rate = "" } = wishes;
  const search = searchOf({ ...NO_WISHES, start, end, guests, ages, rooms, rate });
  return `/stays/${id}${search === "" ? "" : `?${search}`}`;
}

/** Of how many rooms one visitor can have at most; one can always be asked for. */
export function roomsMax({ rooms, owner_limit: limit }: Pick<Listing, "rooms" | "owner_limit">) {
  return Math.max(1, Math.min(rooms, ROOMS_MAX, limit ?? ROOMS_MAX));
}

/** Children below this age can sleep in cots, beside the guests for whom a room is. */
const COT_UNDER = 3;

/** In how many rooms of a listing a party has a place for each. */
export function roomsNeeded(listing: Pick<Listing, "guests" | "beds">, party: Party): number {
  const cots = listing.beds.reduce((all, of) => all + (of.kind === "cot" ? (of.count ?? 1) : 0), 0);
  const small = party.ages.filter((age) => age < COT_UNDER).length;
  let rooms = 1;
  while (party.guests - Math.min(small, cots * rooms) > listing.guests * rooms) rooms += 1;
  return rooms;
}

/** The search of a listing's town, with the dates and the guests that were asked for. */
export function nearHref(city: string, { start, end, guests, ages, rooms }: StayWishes): string {
  const search = searchOf({ ...NO_WISHES, place: city, start, end, guests, ages, rooms });
  return city === "" || search === "" ? "/stays" : `/stays?${search}`;
}

/** The number of filters that a visitor would clear. */
export function countOfFilters({ price, rating, kinds, amenities }: Wishes): number {
  const single = [price, rating].filter((one) => one !== null);
  return single.length + kinds.length + amenities.length;
}

/** What is wished instead, as the server offers it. */
export function wishesNearly(nearly: NearlyFound, { currency }: Wishes): Partial<Wishes> {
  const { start, end, nights, rooms, radius, price_max: price, rating_min: rating, kinds } = nearly;
  const amenities = nearly.amenities ?? nearly.amenities_any;
  const unit = 10 ** decimalsOf(currency || "EUR");
  return {
    ...(start && end && { start, end, flexible: 0 }),
    ...(nights && { nights }),
    ...(rooms && { rooms }),
    ...(radius && { radius }),
    ...(price && { price: Math.ceil(price / unit) }),
    ...(rating && { rating: Math.floor(rating) }),
    ...(amenities && { amenities }),
    ...(kinds && { kinds }),
  };
}
