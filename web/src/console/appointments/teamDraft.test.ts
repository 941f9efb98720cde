// A team between the form and the API.
import { expect, test } from "vitest";
import type { MerchantView, Team } from "~/api/schema";
import { NO_HOURS } from "./hours";
import { noticeDraft, noticeMinutes } from "./notice";
import { hasLeft, leaving, newProvider } from "./providers";
import { newService } from "./services";
import { NEW_SPECIAL } from "./specialDays";
import { NOBODY } from "../merchant/testing/views";
import { isOver } from "../saving/changes";
import {
  costsNothing,
  newTeam,
  newTeamDraft,
  teamChange,
  teamDraft,
  type TeamDraft,
  teamFaults,
  teamOwn,
} from "./teamDraft";

const TEAM: Team = {
  id: "res_1",
  name: "Practice on the Green",
  summary: "Three doctors",
  description: "",
  address: "The Green 4",
  city: "Bath",
  country: "GB",
  time_zone: "Europe/London",
  currency: "GBP",
  price_from: 0,
  payment: "at_venue",
  providers: [
    { name: "dr-rao", title: "Dr Rao" },
    { name: "Dr Lind", title: "Dr Lind", weekly: [{ days: ["mon"], from: "09:00", to: "12:00" }] },
    { name: "Dr Vos", title: "Dr Vos", exceptions: [{ date: "2030-08-01", closed: true }] },
  ],
  services: [
    {
      name: "First consultation",
      title: "First consultation",
      minutes: 60,
      price: 4500,
      step_minutes: 30,
      buffer_before_minutes: 0,
      buffer_after_minutes: 10,
      providers: ["dr-rao", "Dr Vos"],
      description: "Bring your papers.",
    },
    {
      name: "Check-up",
      title: "Check-up",
      minutes: 15,
      price: 0,
      step_minutes: 15,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      providers: ["dr-rao", "Dr Lind", "Dr Vos"],
    },
  ],
  step_minutes: 15,
  notice_minutes: 120,
  horizon_days: 60,
  capacity: 1,
  pricing: { cancellation: { free_until_seconds: 86_400 } },
  owner_limit: null,
  hold_seconds: 600,
  hold_seconds_max: 1200,
  state: "open",
  published: true,
  weekly: [{ days: ["mon", "tue"], from: "09:00", to: "17:00" }],
  exceptions: [{ from: "2030-12-24", to: "2030-12-27", closed: true }],
  holidays: ["2030-05-01"],
  version: 3,
  translations: [
    {
      language: "de",
      words: { "Dr Rao": "Frau Dr. Rao", "Check-up": "Kontrolle", Other: "Anderes" },
    },
  ],
};

const MERCHANT: MerchantView = {
  ...NOBODY,
  version: 1,
  name: "Green",
  country: "GB",
  currency: "GBP",
  time_zone: "Europe/London",
};

const changed = (part: Partial<TeamDraft>) => teamChange(TEAM, { ...teamDraft(TEAM), ...part });

function withService(at: number, part: Partial<TeamDraft["services"][number]>) {
  const { services } = teamDraft(TEAM);
  return services.map((one, place) => (place === at ? { ...one, ...part } : one));
}

/** The line there. */
function lineAt<Line>(lines: readonly Line[], place: number): Line {
  const line = lines[place];
  if (line === undefined) throw new Error(`no line ${place}`);
  return line;
}

test("an untouched form has no faults and changes nothing", () => {
  expect(teamFaults(teamDraft(TEAM))).toEqual([]);
  expect(changed({})).toEqual({});
});

test("only what was changed is sent", () => {
  expect(changed({ summary: " Four doctors " })).toEqual({ summary: "Four doctors" });
  expect(changed({ holdMinutes: "5" })).toEqual({ hold_seconds: 300, hold_seconds_max: 900 });
  expect(changed({ limit: "2" })).toEqual({ owner_limit: 2 });
  expect(changed({ notice: { count: "2", unit: "days" } })).toEqual({ notice_minutes: 2880 });
});

test("services go by the lines of those who give them, whatever these are called", () => {
  const { providers } = teamDraft(TEAM);
  const rao = lineAt(providers, 0);
  const renamed = [{ ...rao, name: "Dr Rao", title: "" }, ...providers.slice(1)];
  const sent = changed({ providers: renamed });
  expect(sent.providers?.[0]).toEqual({ name: "Dr Rao" });
  expect(sent.services?.map((one) => one.providers)).toEqual([["Dr Rao", "Dr Vos"], undefined]);
  // The title is another word now for the same text: its translation stays.
  expect(sent.translations).toBeUndefined();
  const alone = changed({ providers: [rao] });
  // All who are there: an answer would not tell that from a service of everybody.
  expect(alone.services?.[0]?.providers).toBeUndefined();
});

test("a service that all are ticked for is also given by who comes later", () => {
  const { providers } = teamDraft(TEAM);
  const all = withService(0, { givers: providers.map(({ key }) => key) });
  expect(changed({ services: all }).services?.[0]).not.toHaveProperty("providers");
  const joined = [...providers, { ...newProvider(providers), name: "Dr Ito" }];
  // The service may name those three: it is said anew, so that it becomes what the form shows.
  const sent = changed({ providers: joined }).services;
  expect(sent?.map((one) => one.providers)).toEqual([["dr-rao", "Dr Vos"], undefined]);
});

test("a service at the team's step goes along with it, one with its own does not", () => {
  expect(changed({ step: "20" })).toEqual({
    step_minutes: 20,
    services: [
      expect.objectContaining({ name: "First consultation", step_minutes: 30 }),
      expect.not.objectContaining({ step_minutes: expect.anything() }),
    ],
  });
});

test("what others changed since the form began stays, and is not written over unsaid", () => {
  const draft = { ...teamDraft(TEAM), summary: "Four doctors" };
  const asked: Team = {
    ...TEAM,
    version: 4,
    city: "Bristol",
    translations: [
      {
        language: "de",
        words: { "Dr Rao": "Frau Dr. Rao", "Check-up": "Kontrolle", Why: "Warum" },
      },
    ],
  };
  const change = teamChange(TEAM, draft, asked);
  expect(change).toEqual({ summary: "Four doctors" });
  const own = teamOwn(TEAM);
  expect(isOver(own, teamOwn(asked), change)).toBe(false);
  const renamed = { ...draft, services: withService(1, { name: "Review" }) };
  const words = teamChange(TEAM, renamed, asked);
  expect(words.translations?.[0]?.words).toEqual({
    "Dr Rao": "Frau Dr. Rao",
    Review: "Kontrolle",
    Why: "Warum",
  });
  expect(isOver(own, teamOwn(asked), words)).toBe(false);
  expect(isOver(own, teamOwn({ ...asked, summary: "Five" }), change)).toBe(true);
});

test("a service says only what is its own", () => {
  expect(changed({ services: withService(0, { after: "", price: "50" }) }).services).toEqual([
    {
      name: "First consultation",
      description: "Bring your papers.",
      minutes: 60,
      price: 5000,
      step_minutes: 30,
      providers: ["dr-rao", "Dr Vos"],
    },
    { name: "Check-up", description: "", minutes: 15, price: 0 },
  ]);
});

test("the prices are read by the currency", () => {
  const yen = newTeamDraft({ ...MERCHANT, currency: "JPY" });
  const service = { ...lineAt(yen.services, 0), name: "Court", price: "1500" };
  const named = { ...yen, name: "Courts", providers: [{ ...lineAt(yen.providers, 0), name: "1" }] };
  expect(newTeam({ ...named, services: [service] }).services[0]?.price).toBe(1500);
  const odd = { ...named, services: [{ ...service, price: "1500.50" }] };
  expect(teamFaults(odd)).toEqual(["services.0.price"]);
  expect(newTeam({ ...named, currency: "eur", services: [service] })).toMatchObject({
    currency: "EUR",
    services: [{ price: 150_000 }],
  });
});

test("what costs nothing is not paid, and what gets a price is", () => {
  const free = withService(0, { price: "0" });
  expect(changed({ services: free })).toMatchObject({ payment: "none" });
  expect(costsNothing({ ...teamDraft(TEAM), services: free })).toBe(true);
  const services = TEAM.services.map((one) => ({ ...one, price: 0 }));
  const before: Team = { ...TEAM, services, payment: "none" };
  expect(teamChange(before, teamDraft(before))).toEqual({});
  const priced = { ...teamDraft(before), services: withService(0, {}) };
  expect(teamChange(before, priced)).toMatchObject({ payment: "required" });
});

test("what is missing is said at its field", () => {
  const draft = newTeamDraft(MERCHANT);
  expect(teamFaults(draft)).toEqual([
    "name",
    "providers.0.name",
    "services.0.name",
    "services.0.price",
  ]);
  const { providers, services } = teamDraft(TEAM);
  const twice = { ...newProvider(providers), name: " Dr Lind " };
  const nobody = { ...newService(services), name: "Check-up", price: "0", givers: ["9"] };
  expect(
    teamFaults({
      ...teamDraft(TEAM),
      step: "0",
      horizon: "367",
      notice: { count: "367", unit: "days" },
      providers: [...providers, twice],
      services: [...services, nobody],
    }),
  ).toEqual([
    "step",
    "notice",
    "horizon",
    "providers.3.twice",
    "services.2.twice",
    "services.2.givers",
  ]);
});

test("one that has left keeps its name and has no hours", () => {
  const { providers } = teamDraft(TEAM);
  const left = leaving(lineAt(providers, 1));
  expect(hasLeft(left)).toBe(true);
  expect(hasLeft(lineAt(providers, 0))).toBe(false);
  expect(
    changed({ providers: [lineAt(providers, 0), left, lineAt(providers, 2)] }).providers?.[1],
  ).toEqual({
    name: "Dr Lind",
    weekly: [],
  });
});

test("whoever has no hours of their own needs some of the team, by the week or on some days", () => {
  const { providers } = teamDraft(TEAM);
  const none = { ...teamDraft(TEAM), week: NO_HOURS, days: [] };
  expect(teamFaults(none)).toEqual(["week.none"]);
  const days = [{ ...NEW_SPECIAL, first: "2030-03-01", isClosed: false }];
  const withDays = providers.map((one) => ({ ...one, days: null }));
  expect(teamFaults({ ...none, days, providers: withDays })).toEqual([]);
  expect(teamFaults({ ...none, providers: providers.map(leaving) })).toEqual([]);
});

test("a translation stays with its line, and those of other texts as they are", () => {
  expect(teamDraft(TEAM).translated).toEqual({
    de: { "provider 1": "Frau Dr. Rao", "service 2": "Kontrolle" },
  });
  const sent = changed({ services: withService(1, { name: "Review" }) });
  expect(sent.translations?.[0]?.words).toEqual({
    Other: "Anderes",
    "Dr Rao": "Frau Dr. Rao",
    Review: "Kontrolle",
  });
});

test("a notice is said in the largest unit that fits", () => {
  expect(noticeDraft(0)).toEqual({ count: "0", unit: "minutes" });
  expect(noticeDraft(90)).toEqual({ count: "90", unit: "minutes" });
  expect(noticeDraft(120)).toEqual({ count: "2", unit: "hours" });
  expect(noticeDraft(2880)).toEqual({ count: "2", unit: "days" });
  expect(noticeMinutes({ count: "x", unit: "days" })).toBe(null);
});
