// @vitest-environment happy-dom
// The dialog in which the desk changes the dates of a stay.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BookingView } from "~/api/schema";
import { Toasts } from "~/design";
import words from "~/i18n/locales/en/console.json";
import design from "~/i18n/locales/en/design.json";
import { resume } from "../session";
import { ChangeDates } from "./ChangeDates";

// A processor with other work takes its time.
configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 30_000 });

const EUROS = (amount: number) => ({ amount, currency: "EUR" });
const BOOKING: BookingView = {
  id: "bkg_1",
  code: "7K3M-Q2XD",
  hold_id: "hold_0",
  state: "confirmed",
  owner: "asha",
  amount: EUROS(32_000),
  confirmed_at: "2026-11-21T10:00:00Z",
  cancelled_at: null,
  reason: null,
  lines: [
    {
      resource_id: "res_1",
      unit: "101",
      quantity: null,
      cancelled_quantity: 0,
      from: "2026-12-02",
      to: "2026-12-04",
    },
  ],
  payment: null,
  refunds: [],
  quote: null,
};

const asked: string[] = [];
let answers: Record<string, () => Response>;
const refusal = (code: string, more: object = {}) =>
  Response.json({ code, detail: code, retryable: false, ...more }, { status: 409 });

beforeEach(async () => {
  await i18next.use(initReactI18next).init({
    lng: "en",
    resources: { en: { console: words, design } },
    fallbackNS: "design",
    interpolation: { escapeValue: false },
  });
  asked.length = 0;
  answers = {
    "GET /v1/console/session": () =>
      Response.json({
        scopes: ["sell"],
        has_desk: true,
        csrf_token: "csrf_1",
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    "GET /v1/resources/res_1": () =>
      Response.json({ id: "res_1", name: "Room", payment: "at_venue", questions: [] }),
    "GET /v1/bookings/bkg_1/answers": () => Response.json({ answers: [], version: 0 }),
    "POST /v1/quotes": () =>
      Response.json({ total: EUROS(48_000), lines: [{ line: 0, amount: 48_000 }] }),
    "POST /v1/holds": () => Response.json({ id: "hold_1", amount: EUROS(48_000) }),
    "POST /v1/bookings": () => Response.json({ id: "bkg_2", code: "AAAA-BBBB" }, { status: 201 }),
    "DELETE /v1/holds/hold_1": () => Response.json({ state: "released" }),
  };
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    const { method, url } = new Request(...request);
    const call = `${method} ${new URL(url).pathname}`;
    asked.push(call);
    return (answers[call] ?? (() => refusal("not_there")))();
  });
  localStorage.setItem("bespeak.console.open", "yes");
  await resume();
  history.replaceState(null, "", "/console/bookings/bkg_1");
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** The dialog with another departure. */
function open(): void {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <Toasts>
        <ChangeDates booking={BOOKING} />
      </Toasts>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Change the dates" }));
  fireEvent.change(screen.getByLabelText("Departure"), { target: { value: "2026-12-05" } });
}

const verb = (name: string): HTMLButtonElement => screen.getByRole("button", { name });
const TAKE = "Money taken, book the new dates";
const LATER = "Book the new dates";
const facts = () => document.querySelector(".console-pairs")?.textContent ?? "";

test("of an unpaid stay that is paid now all of the new price is taken, and nothing goes back", async () => {
  open();
  await screen.findByText("More than now");
  expect(facts()).toBe("Room€480.00The new stay€480.00The stay of now€320.00More than now€160.00");
  fireEvent.click(screen.getByLabelText("Cash"));
  expect(facts()).toBe("Room€480.00The new stay€480.00To take now€480.00");
  screen.getByText("Nothing was paid for the stay of now, so nothing goes back.");
  fireEvent.click(verb(TAKE));
  await waitFor(() => expect(location.pathname).toBe("/console/bookings/bkg_2"));
  expect(document.querySelector("dialog")).toBeNull();
  expect(asked).not.toContain("DELETE /v1/holds/hold_1");
});

test("nothing is booked before the listings and the answers are known, and what failed is told", async () => {
  answers["GET /v1/resources/res_1"] = () => refusal("listing_failed");
  open();
  await screen.findByText("listing_failed");
  expect(verb(TAKE).disabled).toBe(true);
  expect(screen.queryByLabelText("Cash")).toBeNull();
  cleanup();
  answers["GET /v1/resources/res_1"] = () => Response.json({ id: "res_1", payment: "at_venue" });
  answers["GET /v1/bookings/bkg_1/answers"] = () => refusal("answers_failed");
  open();
  await screen.findByLabelText("Cash");
  await screen.findByText("answers_failed");
  expect(verb(LATER).disabled).toBe(true);
});

test("another price is told, and taken by the next press", async () => {
  answers["POST /v1/holds"] = () => Response.json({ id: "hold_1", amount: EUROS(50_000) });
  open();
  fireEvent.click(await screen.findByLabelText("Cash"));
  fireEvent.click(verb(TAKE));
  await screen.findByText(/The price is €500.00 by now/);
  expect(facts()).toContain("To take now€500.00");
  expect(location.pathname).toBe("/console/bookings/bkg_1");
  await waitFor(() => expect(verb(TAKE).getAttribute("aria-busy")).toBeNull());
  fireEvent.click(verb(TAKE));
  await waitFor(() => expect(location.pathname).toBe("/console/bookings/bkg_2"));
});

test("a refusal is told by its reason, and not of other dates", async () => {
  answers["POST /v1/holds"] = () => refusal("booking_not_exchangeable", { reason: "begun" });
  open();
  await screen.findByLabelText("Cash");
  fireEvent.click(verb(LATER));
  await screen.findByText(/The stay has begun/);
  fireEvent.change(screen.getByLabelText("Departure"), { target: { value: "2026-12-06" } });
  expect(screen.queryByText(/The stay has begun/)).toBeNull();
});

test("whoever leaves it after a lost answer is led to what was booked", async () => {
  answers["POST /v1/bookings"] = () => refusal("lost");
  answers["DELETE /v1/holds/hold_1"] = () => refusal("hold_confirmed", { booking_id: "bkg_2" });
  open();
  await screen.findByLabelText("Cash");
  fireEvent.click(verb(LATER));
  await screen.findByText("lost");
  fireEvent.click(screen.getByRole("button", { name: "Back" }));
  await waitFor(() => expect(location.pathname).toBe("/console/bookings/bkg_2"));
  await screen.findByText("The new dates were booked already. This is the new booking.");
});
