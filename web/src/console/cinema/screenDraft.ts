// The form of a screen: its name, what there is, how long it is cleaned, and the usual prices of its
// categories. Its plan is drawn elsewhere.
import type { NewScreen, Screen, ScreenChange, SeatsPlan as FullPlan } from "~/api/schema";
import type { SeatsPlan } from "~/seatmap/plan";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import { readWhole } from "../programme/amounts";
import { changed } from "../saving/changes";
import type { PlacedScreen } from "./calls";
import { priceFaults, pricedPlan, type Prices, screenCategories } from "./categories";
import { areFit, lines } from "./lines";

export type ScreenDraft = {
  readonly name: string;
  /** One in each line. */
  readonly features: string;
  readonly cleaning: string;
  /** Those that were typed. */
  readonly prices: Prices;
  readonly translated: Translated;
};

const CLEANING_MAX = 240;
const FEATURES_MAX = 20;
const FEATURE_MAX = 40;

export const NEW_SCREEN: ScreenDraft = {
  name: "",
  features: "",
  cleaning: "15",
  prices: {},
  translated: {},
};

type Texts = Pick<ScreenDraft, "name" | "features">;

export const featureField = (name: string) => `feature ${name}`;
export const placeField = (name: string) => `place ${name}`;

/** What its seats and areas are called on maps and tickets. */
export function placesOf(plan: SeatsPlan | null | undefined): string[] {
  if (!plan) return [];
  const names = [
    ...(plan.categories ?? []).map(({ name }) => name),
    ...(plan.sections ?? []).map(({ name }) => name),
    ...(plan.pools ?? []).map(({ unit }) => unit),
  ];
  return [...new Set(names)];
}

/** What guests read, by the names of the fields; a translation stays with a feature when the lines move. */
const typedOf = ({ name, features }: Texts, plan: Screen["plan"]) => ({
  name,
  ...Object.fromEntries(lines(features).map((one) => [featureField(one), one])),
  ...Object.fromEntries(placesOf(plan).map((one) => [placeField(one), one])),
});

const textsOf = ({ name, features }: Screen): Texts => ({ name, features: features.join("\n") });

export function screenDraft({ screen }: PlacedScreen): ScreenDraft {
  const texts = textsOf(screen);
  return {
    ...texts,
    cleaning: String(screen.cleaning_minutes),
    prices: {},
    translated: readTranslations(screen.translations ?? [], typedOf(texts, screen.plan)),
  };
}

export function screenFaults(
  draft: ScreenDraft,
  plan: SeatsPlan | null | undefined,
  currency: string,
): string[] {
  const faults: string[] = [];
  if (draft.name.trim() === "") faults.push("name");
  if (!areFit(lines(draft.features), FEATURES_MAX, FEATURE_MAX)) faults.push("features");
  if (readWhole(draft.cleaning, 0, CLEANING_MAX) === null) faults.push("cleaning");
  if (plan) faults.push(...priceFaults(draft.prices, screenCategories(plan, currency), currency));
  return faults;
}

export function newScreen(
  cinema: string,
  draft: ScreenDraft,
  plan: SeatsPlan,
  currency: string,
): NewScreen {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine adds the defaults
  const full = pricedPlan(plan, draft.prices, currency) as FullPlan;
  return { ...said(draft), cinema, plan: full };
}

/** All that the form says of a screen; a plan that was drawn anew has other prices, too. */
export const screenOwn = ({ screen }: PlacedScreen) => ({
  name: screen.name,
  features: screen.features,
  cleaning_minutes: screen.cleaning_minutes,
  translations: screen.translations ?? [],
  plan: screen.plan,
});

/** Only what was changed since the form began. Prices are put into the plan as it is `now`. */
export function screenChange(began: PlacedScreen, draft: ScreenDraft, now = began): ScreenChange {
  const { plan } = began.screen;
  const translations = (of: ScreenDraft) =>
    writeTranslations(
      of.translated,
      typedOf(of, plan),
      typedOf(textsOf(began.screen), plan),
      now.screen.translations ?? [],
    );
  const begin = screenDraft(began);
  const change = changed(
    { ...said(begin), translations: translations(begin) },
    { ...said(draft), translations: translations(draft) },
  );
  const prices = otherPrices(began, draft);
  const drawn = now.screen.plan;
  if (!drawn || Object.keys(prices).length === 0) return change;
  return { ...change, plan: pricedPlan(drawn, prices, now.currency) };
}

function said(draft: ScreenDraft) {
  return {
    name: draft.name.trim(),
    features: lines(draft.features),
    cleaning_minutes: readWhole(draft.cleaning, 0, CLEANING_MAX) ?? 0,
  };
}

/** What was typed back to what it was is no change. */
function otherPrices({ screen: { plan }, currency }: PlacedScreen, { prices }: ScreenDraft) {
  const categories = plan ? screenCategories(plan, currency) : [];
  const before = new Map(categories.map(({ name, price }) => [name, price]));
  return Object.fromEntries(
    Object.entries(prices).filter(([name, price]) => before.get(name) !== price.trim()),
  );
}
