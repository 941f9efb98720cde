// @vitest-environment happy-dom
// What one types into a form of the console while it is being saved.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createInstance } from "i18next";
import type { ReactElement } from "react";
import { I18nextProvider } from "react-i18next";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UNSET } from "../mails/testing/views";
import { MailForm } from "../mails/MailForm";
import { ServerPanel } from "../mails/ServerPanel";
import ShopSettingsPage from "../merchant/ShopSettingsPage";
import { NOBODY as NO_MERCHANT } from "../merchant/testing/views";
import { KeysForm } from "../paymentProvider/KeysForm";
import { SET } from "../paymentProvider/testing/views";
import { SpeedPanel } from "../waitingRooms/SpeedPanel";

// Their hundreds of choices take a second to draw.
vi.mock("../merchant/PlaceFields", () => ({
  CountrySelect: () => null,
  CurrencyField: () => null,
  ZoneField: () => null,
}));

const words = createInstance();
let saves = 0;
let answer: (saved: object) => void = () => undefined;

/** Answers what is read with this; a save is answered later, and read from then on. */
function served(begun: object): void {
  let read = begun;
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    const { method, url } = new Request(...request);
    const isOther = /\/preview|\/console\//.test(url);
    if (isOther || method === "GET") return Response.json(isOther ? { html: "" } : read);
    saves += 1;
    return new Promise((done) => {
      answer = (saved) => {
        read = saved;
        done(Response.json(saved));
      };
    });
  });
}

beforeEach(async () => {
  sessionStorage.clear();
  saves = 0;
  await words.init({ lng: "cimode", resources: {} });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const field = async (label: string) =>
  await screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));

const MAIL = {
  kind: "refunded",
  language: "en",
  text: null,
  our_subject: "",
  placeholders: [],
  version: 0,
};
const ROOM = { id: "wrm_1", version: 1, pace: "rate", a_minute: 100, inside_max: 50 };
const SPEED = { pass_seconds: 600, grace_seconds: 60, units_max: null };
const TEXT = { subject: "Mine", introduction: "", closing: "" };

type Case = {
  name: string;
  form: ReactElement;
  read: object;
  save: string;
  sent: [label: string, value: string];
  /** It is typed while that is saved. */
  later: [label: string, value: string];
  saved: object;
  isSecret?: boolean;
};
const CASES: Case[] = [
  {
    name: "mail texts",
    form: <MailForm view={MAIL as never} language="en" onSaved={() => undefined} />,
    read: { items: [MAIL], next: null },
    save: "mails.save",
    sent: ["mails.subject", "Mine"],
    later: ["mails.closing", "Typed"],
    saved: { ...MAIL, text: TEXT, version: 1 },
  },
  {
    name: "mail server",
    form: <ServerPanel session={{ operator_id: "opr_1", name: "" } as never} />,
    read: UNSET,
    save: "mail_server.save",
    sent: ["mail_server.password", "secret"],
    later: ["mail_server.host", "mail.lantern.example"],
    saved: { ...UNSET, decided_by: "console", changed_at: "2030-01-01T10:00:00Z" },
    isSecret: true,
  },
  {
    name: "payment keys",
    form: <KeysForm view={SET} by="opr_1" />,
    read: SET,
    save: "save",
    sent: ["secret_key", "sk_test_1"],
    later: ["webhook_secret", "whsec_1"],
    saved: { ...SET, account: { ...SET.account, version: 8 } },
    isSecret: true,
  },
  {
    name: "shop settings",
    form: <ShopSettingsPage />,
    read: NO_MERCHANT,
    save: "merchant.save",
    sent: ["merchant.name", "Lantern Hall"],
    later: ["merchant.phone", "1234"],
    saved: { ...NO_MERCHANT, name: "Lantern Hall", version: 1 },
  },
  {
    name: "speed of a waiting room",
    form: <SpeedPanel room={{ ...ROOM, ...SPEED } as never} />,
    read: {},
    save: "speed.save",
    sent: ["form.aMinute", "200"],
    later: ["form.insideMax", "70"],
    saved: { ...ROOM, ...SPEED, a_minute: 200, version: 2 },
  },
];

test.each(CASES)("$name: what is typed meanwhile stays", async (one) => {
  const { sent, later, isSecret = false } = one;
  served(one.read);
  render(
    <I18nextProvider i18n={words}>
      <QueryClientProvider client={new QueryClient()}>{one.form}</QueryClientProvider>
    </I18nextProvider>,
  );
  const type = async (label: string, value: string) =>
    fireEvent.change(await field(label), { target: { value } });
  await type(...sent);
  fireEvent.click(screen.getByText(one.save));
  await waitFor(() => expect(saves).toBe(1));
  await type(...later);
  answer(one.saved);
  await waitFor(() => expect(screen.getByText(one.save).hasAttribute("aria-busy")).toBe(false));
  expect((await field(later[0])).value).toBe(later[1]);
  expect((await field(sent[0])).value).toBe(isSecret ? "" : sent[1]);
});
