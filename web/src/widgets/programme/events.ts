// The events of a programme, as the list shows them.
import { isRecord } from "~/api/record";
import { type Offer, offerOf, type Place, read, text } from "../api";

export type ListedEvent = Readonly<{
  id: string;
  title: string;
  performers: readonly string[];
  picture: string | null;
  pictureText: string;
  startsAt: string | null;
  timeZone: string | null;
  venue: string;
  offer: Offer;
}>;

/** The events that are to come, those that begin next first. Throws Refused. */
export async function readEvents(
  place: Place,
  filters: Readonly<Record<string, string>>,
  lang: string,
  signal: AbortSignal,
): Promise<ListedEvent[]> {
  const query = new URLSearchParams(filters);
  const page = await read(place, `programme/productions?${query.toString()}`, lang, signal);
  const items: unknown[] = Array.isArray(page["items"]) ? page["items"] : [];
  return items.filter(isRecord).map((item) => eventOf(item));
}

function eventOf(item: Record<string, unknown>): ListedEvent {
  const next = isRecord(item["next_performance"]) ? item["next_performance"] : {};
  const venue = isRecord(next["venue"]) ? next["venue"] : {};
  const performers: unknown[] = Array.isArray(item["performers"]) ? item["performers"] : [];
  return {
    id: text(item["id"]),
    title: text(item["title"]),
    performers: performers.filter((one): one is string => typeof one === "string"),
    picture: text(item["picture"]) || null,
    pictureText: text(item["picture_text"]),
    startsAt: text(next["starts_at"]) || null,
    timeZone: text(next["time_zone"]) || null,
    venue: [venue["name"], venue["city"]].map(text).filter(Boolean).join(", "),
    offer: offerOf(item),
  };
}
