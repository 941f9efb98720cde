// What is asked at the checkout of a hold or booking: a field for each question, or for each ticket of
// it, and the answers that the fields make.
import { readStored } from "~/api/stored";
import type { CheckoutAnswer, CheckoutQuestion } from "~/api/schema";

type AskedLine = {
  readonly resource_id: string;
  readonly unit?: string | null;
  readonly quantity?: number | null;
  readonly cancelled_quantity?: number;
};

type Asking = { readonly id: string; readonly questions?: readonly CheckoutQuestion[] };

export type AskedField = {
  readonly key: string;
  readonly resourceId: string;
  readonly question: CheckoutQuestion;
  /** The ticket it is asked for, from 1, and what that is for; null where it is asked once. */
  readonly ticket: number | null;
  readonly unit: string | null;
};

/** What was typed, by the key of the field. */
export type Typed = Readonly<Record<string, string>>;

// The server takes no more answers; what is asked for more tickets is no form.
const FIELDS_MAX = 1000;
const KEPT_AS = "bespeak.answers.";

/** The fields of all lines: what is asked once first, then ticket by ticket. */
export function askedFields(
  lines: readonly AskedLine[],
  resources: readonly Asking[],
): AskedField[] {
  const asking = new Map(resources.map(({ id, questions }) => [id, questions ?? []]));
  const tickets = ticketsOf(lines);
  const once = [...new Set(lines.map(({ resource_id: id }) => id))].flatMap((resourceId) =>
    fieldsOf(asking, "booking", { resourceId, ticket: null, unit: null }),
  );
  const each = tickets.flatMap((ticket) => fieldsOf(asking, "ticket", ticket));
  return [...once, ...each].slice(0, FIELDS_MAX);
}

/** The fields of each ticket together, and those of each resource that are asked once. */
export function groupsOf(fields: readonly AskedField[]): AskedField[][] {
  const groups = new Map<string, AskedField[]>();
  for (const field of fields) {
    const key = `${field.resourceId} ${field.ticket ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), field]);
  }
  return [...groups.values()];
}

type Place = Pick<AskedField, "resourceId" | "ticket" | "unit">;

function fieldsOf(
  asking: ReadonlyMap<string, readonly CheckoutQuestion[]>,
  per: "booking" | "ticket",
  place: Place,
): AskedField[] {
  return (asking.get(place.resourceId) ?? [])
    .filter((question) => (question.per ?? "booking") === per)
    .map((question) => ({ ...place, question, key: keyOf(place, question.id) }));
}

/** The tickets that stand, numbered over the lines as the server does. */
export function ticketsOf(lines: readonly AskedLine[]): Place[] {
  const found: Place[] = [];
  let last = 0;
  for (const { resource_id: resourceId, unit, quantity, cancelled_quantity: gone } of lines) {
    const count = quantity ?? 1;
    for (let at = 1; at <= count - (gone ?? 0) && found.length < FIELDS_MAX; at++)
      found.push({ resourceId, ticket: last + at, unit: unit ?? null });
    last += count;
  }
  return found;
}

function keyOf(place: Pick<Place, "resourceId" | "ticket">, question: string): string {
  return `${place.resourceId} ${question} ${place.ticket ?? ""}`;
}

export function answersOf(fields: readonly AskedField[], typed: Typed): CheckoutAnswer[] {
  return fields.flatMap(({ key, resourceId, question, ticket }) => {
    const answer = typed[key]?.trim() ?? "";
    const isChoice = question.choices?.includes(answer) ?? false;
    return answer === "" || (question.choices?.length && !isChoice)
      ? []
      : [{ resource_id: resourceId, question: question.id, ticket, answer }];
  });
}

/** The keys of required fields without an answer. */
export function missingAnswers(fields: readonly AskedField[], typed: Typed): string[] {
  const given = typedOf(answersOf(fields, typed));
  return fields
    .filter(({ key, question }) => question.required && given[key] === undefined)
    .map(({ key }) => key);
}

/** Answers as they are typed. */
export function typedOf(answers: readonly CheckoutAnswer[]): Typed {
  return Object.fromEntries(
    answers.map(({ resource_id: resourceId, question, ticket, answer }) => [
      keyOf({ resourceId, ticket: ticket ?? null }, question),
      answer,
    ]),
  );
}

/** What was typed for a hold in this tab, before a reload or a visit to the bank. */
export function keptTyped(holdId: string, store: Storage = sessionStorage): Typed {
  const found = readStored(store, KEPT_AS + holdId) ?? {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
}

export function keepTyped(holdId: string, typed: Typed, store: Storage = sessionStorage): void {
  store.setItem(KEPT_AS + holdId, JSON.stringify(typed));
}
