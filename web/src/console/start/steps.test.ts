// The first steps.
import { expect, test } from "vitest";
import type { MerchantView } from "~/api/schema";
import { missingOf, openSteps, type Standing, stepsOf } from "./steps";

const NOBODY: MerchantView = {
  version: 0,
  name: null,
  logo: null,
  accent: null,
  accent_colours: null,
  country: null,
  currency: null,
  languages: null,
  time_zone: null,
  email: null,
  phone: null,
  address: null,
  tax_number: null,
  invoice_prefix: null,
  invoice_note: null,
  terms: null,
  privacy: null,
  imprint: null,
  ordering: { button: "pay", consent: "none", terms: null, tells_no_withdrawal: false },
};
const EMPTY: Standing = {
  session: {
    operator_id: null,
    takes_payments: false,
    pretend_money: false,
    has_desk: false,
    sends_mail: false,
    has_outbox: false,
  },
  merchant: NOBODY,
  venue: null,
  hasHall: false,
  event: null,
  date: null,
  team: null,
  isPublished: false,
  hasSale: false,
};

test("an empty server has all steps before it", () => {
  expect(missingOf(NOBODY)).toEqual(["name", "currency", "time_zone"]);
  expect(openSteps(stepsOf(EMPTY)).map(({ name }) => name)).toEqual([
    "shop",
    "legal",
    "payments",
    "hall",
    "event",
    "date",
    "publish",
    "sale",
  ]);
});

test("each step leads on from what is there", () => {
  const of = { ...EMPTY, venue: "ven_1", event: "prd_1", date: "res_1" };
  const paths = Object.fromEntries(stepsOf(of).map(({ name, href }) => [name, href]));
  expect(paths).toMatchObject({
    hall: "/console/programme/venues/ven_1/new-hall",
    date: "/console/programme/events/prd_1/new-date",
    publish: "/console/programme/dates/res_1",
  });
});

test("who gives appointments may do without events, and publishes the team", () => {
  const steps = stepsOf({ ...EMPTY, team: "res_7" });
  expect(openSteps(steps).map(({ name }) => name)).toEqual([
    "shop",
    "legal",
    "payments",
    "publish",
    "sale",
  ]);
  expect(steps.find(({ name }) => name === "publish")?.href).toBe("/console/appointments/res_7");
});

test("the look and the languages are advised, and say what of them is missing", () => {
  const standing = (part: Partial<MerchantView>) => {
    const steps = stepsOf({ ...EMPTY, merchant: { ...NOBODY, ...part } });
    return steps.filter(({ name }) => name === "look" || name === "languages");
  };
  const logo = { url: "/v1/merchant/logo" };
  const said = (part: Partial<MerchantView>) => standing(part).map(({ text }) => text);
  expect(said({})).toEqual(["look", "languages"]);
  expect(said({ logo })).toEqual(["look_colour", "languages"]);
  expect(said({ accent: "#aa0033" })).toEqual(["look_logo", "languages"]);
  const all = { logo, accent: "#aa0033", languages: ["de" as const] };
  expect(said(all)).toEqual(["look_done", "languages_done"]);
  expect(standing(all).map(({ isDone }) => isDone)).toEqual([true, true]);
  expect(standing({}).every(({ isAdvised }) => isAdvised)).toBe(true);
  expect(standing({}).every(({ href }) => href === "/console/shop-settings")).toBe(true);
});

test("pretend money is said to be that, and a folder of mails is none that are sent", () => {
  const session = { ...EMPTY.session, takes_payments: true, pretend_money: true, has_outbox: true };
  const steps = stepsOf({ ...EMPTY, session });
  expect(steps.find(({ name }) => name === "payments")).toMatchObject({
    isDone: true,
    text: "payments_sandbox",
  });
  expect(steps.find(({ name }) => name === "mail")).toMatchObject({
    isDone: false,
    text: "mail_outbox",
  });
});
