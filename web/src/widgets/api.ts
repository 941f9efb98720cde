// What the widgets read of the API, with a publishable key and no cookies. Answers are of another
// server than the page's, so each field is looked at before it is used.
import { isRecord } from "~/api/record";

export type Place = Readonly<{ base: string; key: string }>;
export type Failure = Readonly<{ code: string; detail: string }>;

/** How the sale of something stands; what an unknown state says is not known. */
export type SaleState = "on_sale" | "not_yet" | "sold_out" | "closed" | "called_off";

/** What can be bought: a date of an event, a show, or any other resource. */
export type Offer = Readonly<{
  id: string;
  state: SaleState;
  unitsFree: number | null;
  price: Price | null;
}>;

/** The lowest price, in minor units. */
export type Price = Readonly<{ amount: number; currency: string }>;

const SECONDS_MAX = 20;
const UNREACHABLE = "unreachable";
const STATES: readonly SaleState[] = ["on_sale", "not_yet", "sold_out", "closed", "called_off"];

export class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** Reads a path of the API. Throws Refused. */
export async function read(
  { base, key }: Place,
  path: string,
  lang: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const timed = AbortSignal.any([signal, AbortSignal.timeout(SECONDS_MAX * 1000)]);
  let answer: Response;
  let body: unknown;
  try {
    answer = await fetch(`${base}/v1/${path}`, {
      headers: { Authorization: `Bearer ${key}`, "Accept-Language": lang },
      credentials: "omit",
      signal: timed,
    });
    body = await answer.json();
  } catch {
    throw new Refused({ code: UNREACHABLE, detail: `${base} cannot be reached` });
  }
  if (answer.ok && isRecord(body)) return body;
  throw new Refused({
    code: text(isRecord(body) ? body["code"] : null) || UNREACHABLE,
    detail: text(isRecord(body) ? body["detail"] : null) || `status ${String(answer.status)}`,
  });
}

/** How the sale of a resource stands: `pathOf` says where to ask for one of its kind. Throws
 * Refused. */
export async function readOffer(
  place: Place,
  resource: string,
  lang: string,
  signal: AbortSignal,
  pathOf: (kind: string) => string | undefined,
): Promise<Offer> {
  const id = encodeURIComponent(resource);
  const found = await read(place, `resources/${id}`, lang, signal);
  const catalogue = pathOf(text(found["kind"]));
  if (catalogue !== undefined) {
    try {
      return offerOf(await read(place, `${catalogue}/${id}`, lang, signal));
    } catch (error) {
      // A resource may be of that kind and not of that catalogue.
      if (!(error instanceof Refused) || !error.failure.code.endsWith("_not_found")) throw error;
    }
  }
  return {
    id: resource,
    state: stateByTimes(found),
    unitsFree: null,
    price: price(found["price"]),
  };
}

export function offerOf(item: Record<string, unknown>): Offer {
  const state = STATES.find((one) => one === item["state"]) ?? "closed";
  const from = item["price_from"];
  return {
    id: text(item["id"]),
    state,
    unitsFree: typeof item["units_free"] === "number" ? item["units_free"] : null,
    price: price(typeof from === "number" ? { amount: from, currency: item["currency"] } : from),
  };
}

/** Of a resource that no catalogue knows: by its own state and times. */
function stateByTimes(resource: Record<string, unknown>): SaleState {
  const now = Date.now();
  const time = (name: string) => Date.parse(text(resource[name]));
  if (resource["state"] !== "open") return "closed";
  const ends = [time("closes_at"), time("starts_at")].find((one) => !Number.isNaN(one));
  if (ends !== undefined && ends <= now) return "closed";
  return time("opens_at") > now ? "not_yet" : "on_sale";
}

function price(value: unknown): Price | null {
  const { amount, currency } = isRecord(value) ? value : {};
  return typeof amount === "number" && typeof currency === "string" ? { amount, currency } : null;
}

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
