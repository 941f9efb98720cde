// The first steps.
import { expect, test } from "vitest";
import type { MerchantView } from "~/api/schema";
import { NOBODY } from "../merchant/testing/views";
import { missingOf, openSteps, type Standing, stepsOf, type WayFound } from "./steps";
import { ofPages, WAYS, type WayStanding } from "./ways";

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
  ways: [],
  isPublished: false,
  hasSale: false,
};

/** A business with two steps of its own. */
const FARM: WayStanding = {
  steps: [
    { name: "field", isDone: false, href: "/console/farm/new", text: "field_first" },
    { name: "crop", isDone: false, href: "/console/farm/crops/new", isDoneOnceSold: true },
  ],
  publish: null,
  isPublished: false,
};
const wayOf = (standing: WayStanding | null, name = "farm"): WayFound => ({
  name,
  href: `/console/${name}`,
  standing,
});
const withFarm = (part: Partial<WayStanding>, name?: string) => wayOf({ ...FARM, ...part }, name);
const open = (of: Standing) => openSteps(stepsOf(of)).map(({ name }) => name);
const named = (of: Standing, name: string) => stepsOf(of).find((one) => one.name === name);

test("an empty server has all steps before it, and says where others begin", () => {
  const ways = [wayOf(null), wayOf(null, "ferry")];
  const instead = (of: Standing) =>
    stepsOf(of).flatMap((one) => one.instead.map(({ name }) => name));
  expect(instead({ ...EMPTY, ways })).toEqual(["farm", "ferry"]);
  expect(instead({ ...EMPTY, ways, venue: "ven_1" })).toEqual([]);
  expect(instead({ ...EMPTY, ways: [...ways, withFarm({}, "mill")] })).toEqual([]);
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

test("that others begin elsewhere is said only where it is shown where", () => {
  const ways = [wayOf(null)];
  const said = (of: Partial<Standing>) => named({ ...EMPTY, ...of }, "hall")?.text;
  expect(said({ ways })).toBe("hall_first");
  expect(said({})).toBe("hall");
  expect(said({ ways, venue: "ven_1" })).toBe("hall");
  expect(said({ ways: [...ways, withFarm({}, "mill")], event: "prd_1" })).toBe("hall");
  expect(said({ ways, hasHall: true })).toBe("hall_done");
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

test("the kinds of business are found in their folders, and each has words", async () => {
  const { default: words } = await import("~/i18n/locales/en/programme.json");
  expect(WAYS.map(({ name }) => name)).toEqual(Object.keys(words.start.instead).toSorted());
});

test("who has what can be published at once may do without events, and publishes that", () => {
  const page = { href: "/console/ferry/1", published: false };
  const of = { ...EMPTY, ways: [wayOf(ofPages([page]), "ferry")] };
  expect(open(of)).toEqual(["shop", "legal", "payments", "publish", "sale"]);
  expect(named(of, "publish")?.href).toBe("/console/ferry/1");
  const shown = { ...EMPTY, ways: [wayOf(ofPages([{ ...page, published: true }]))] };
  expect(open(shown)).toEqual(["shop", "legal", "sale"]);
  expect(ofPages([])).toBeNull();
});

test("a business with steps of its own has them in the place of events", () => {
  const of = (part: Partial<WayStanding>) => ({ ...EMPTY, ways: [withFarm(part)] });
  const begin = ["shop", "legal", "payments"];
  expect(open(of({}))).toEqual([...begin, "field", "crop", "publish", "sale"]);
  expect(named(of({}), "field")).toMatchObject({ text: "field_first", href: "/console/farm/new" });
  expect(named(of({}), "publish")?.href).toBe("/console/farm");
  const ready = of({ publish: "/console/farm/crops/1" });
  expect(named(ready, "publish")?.href).toBe("/console/farm/crops/1");
  expect(open(of({ publish: "/", isPublished: true }))).not.toContain("publish");
});

test("what is known only while it is to come is done once something was sold", () => {
  const over = { ...EMPTY, ways: [withFarm({})], hasSale: true };
  const done = stepsOf(over).filter(({ isDone }) => isDone);
  expect(done.map(({ name }) => name)).toEqual(["crop", "publish", "sale"]);
});

test("of several kinds of business, what is ready first is what must be published", () => {
  const both = { ...EMPTY, venue: "ven_1", ways: [withFarm({})] };
  const events = ["hall", "event", "date"];
  expect(open(both)).toEqual(expect.arrayContaining([...events, "field", "crop"]));
  const dated = open({ ...both, date: "res_1" });
  expect(dated.filter((name) => ["field", "crop"].includes(name))).toEqual([]);
  const shown = open({ ...both, ways: [withFarm({ publish: "/" })] });
  expect(shown.filter((name) => events.includes(name))).toEqual([]);
  expect(shown).toContain("field");
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
