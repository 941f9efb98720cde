// @vitest-environment happy-dom
// A change of dates at the desk, where it is closed on the way, told late, or costs something else by then.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BookedBefore, ChangeLetGo, HeldChange, PriceChanged, type NewDates } from "./changeDates";

const PRICE = { amount: 48_000, currency: "EUR" };
const night = (to: string) => [{ resource_id: "res_1", unit: null, from: "2026-12-02", to }];
const DATES: NewDates = {
  booking: { id: "bkg_1", owner: "asha" },
  lines: night("2026-12-04"),
  price: PRICE,
  method: "cash",
  answers: [],
};

type Asked = { readonly call: string; readonly key: string | null; readonly body: unknown };
type Answering = (asked: Asked) => Response | Promise<Response>;

const asked: Asked[] = [];
/** What is answered to a call, by its method and path. */
let answers: Record<string, Answering>;
let holds: number;

const refusal = (code: string, more: object = {}, status = 409) =>
  Response.json({ code, detail: code, retryable: false, ...more }, { status });
const calls = () => asked.map(({ call }) => call);
const heldFor = (amount: number) => {
  holds += 1;
  return Response.json({ id: `hold_${holds}`, amount: { amount, currency: "EUR" } });
};

beforeEach(() => {
  asked.length = 0;
  holds = 0;
  answers = {
    "POST /v1/holds": () => heldFor(PRICE.amount),
    "POST /v1/bookings": () => Response.json({ id: "bkg_2", code: "7K3M-Q2XD" }, { status: 201 }),
  };
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    const sent = new Request(...request);
    const text = await sent.text();
    const one: Asked = {
      call: `${sent.method} ${new URL(sent.url).pathname}`,
      key: sent.headers.get("idempotency-key"),
      body: text === "" ? null : JSON.parse(text),
    };
    asked.push(one);
    return (answers[one.call] ?? (() => Response.json({ state: "released" })))(one);
  });
});

afterEach(() => vi.unstubAllGlobals());

function gate() {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((done) => {
    open = done;
  });
  return { isOpen, open };
}

/** An answer that comes when it is said, and when it is waited for. */
function later(answer: () => Response) {
  const asking = gate();
  const time = gate();
  const answering: Answering = async () => {
    asking.open();
    await time.isOpen;
    return answer();
  };
  return { answering, isAsked: asking.isOpen, come: time.open };
}

test("the new nights are held in place of the booking, paid for, and booked with what was answered", async () => {
  const kept = [{ resource_id: "res_1", question: "food", ticket: null, answer: "No nuts" }];
  const made = await new HeldChange().carryOut({ ...DATES, answers: kept }, "k");
  expect(made.id).toBe("bkg_2");
  expect(asked.map(({ body }) => body)).toEqual([
    { owner: "asha", instead_of_booking: "bkg_1", lines: DATES.lines, alternatives: 0 },
    {
      hold_id: "hold_1",
      answers: kept,
      provider: "desk",
      payment_token: "cash",
    },
  ]);
});

describe("what is let go", () => {
  test("while it is being held is not booked, and not held", async () => {
    const { answering, isAsked, come } = later(() => heldFor(PRICE.amount));
    answers["POST /v1/holds"] = answering;
    const change = new HeldChange();
    const done = change.carryOut(DATES, "k");
    await isAsked;
    expect(await change.letGo()).toBeNull();
    come();
    await expect(done).rejects.toBeInstanceOf(ChangeLetGo);
    expect(calls()).toEqual(["POST /v1/holds", "DELETE /v1/holds/hold_1"]);
  });

  test("while another wish of before is let go holds nothing", async () => {
    const change = new HeldChange();
    answers["POST /v1/bookings"] = () => refusal("payment_declined", {}, 402);
    await expect(change.carryOut(DATES, "k")).rejects.toThrow("payment_declined");
    const { answering, isAsked, come } = later(() => Response.json({ state: "released" }));
    answers["DELETE /v1/holds/hold_1"] = answering;
    const done = change.carryOut({ ...DATES, lines: night("2026-12-05") }, "k");
    await isAsked;
    await change.letGo();
    come();
    await expect(done).rejects.toBeInstanceOf(ChangeLetGo);
    expect(calls().slice(2)).toEqual(["DELETE /v1/holds/hold_1"]);
  });

  test("while it is being booked is released, or is booked: then both say so", async () => {
    const change = new HeldChange();
    const { answering, isAsked, come } = later(() =>
      Response.json({ id: "bkg_2", code: "7K3M-Q2XD" }, { status: 201 }),
    );
    answers["POST /v1/bookings"] = answering;
    answers["DELETE /v1/holds/hold_1"] = () => refusal("hold_confirmed", { booking_id: "bkg_2" });
    const done = change.carryOut(DATES, "k");
    await isAsked;
    expect(await change.letGo()).toBe("bkg_2");
    come();
    expect((await done).id).toBe("bkg_2");
  });

  test("after the answer of its booking was lost is that booking", async () => {
    const change = new HeldChange();
    answers["POST /v1/bookings"] = () => refusal("internal_error", {}, 500);
    answers["DELETE /v1/holds/hold_1"] = () => refusal("hold_confirmed", { booking_id: "bkg_2" });
    await expect(change.carryOut(DATES, "k")).rejects.toThrow("internal_error");
    expect(await change.letGo()).toBe("bkg_2");
    expect(await change.letGo()).toBeNull();
  });

  test("for other dates, or another method, after the answer was lost is that booking, too", async () => {
    const change = new HeldChange();
    answers["POST /v1/bookings"] = () => refusal("internal_error", {}, 500);
    await expect(change.carryOut(DATES, "k")).rejects.toThrow("internal_error");
    answers["POST /v1/bookings"] = () => refusal("hold_confirmed", { booking_id: "bkg_2" });
    const byCard = change.carryOut({ ...DATES, method: "card_terminal" }, "k");
    await expect(byCard).rejects.toEqual(new BookedBefore("bkg_2"));
    answers["DELETE /v1/holds/hold_2"] = () => refusal("hold_confirmed", { booking_id: "bkg_2" });
    const others = change.carryOut({ ...DATES, lines: night("2026-12-05") }, "k");
    await expect(others).rejects.toMatchObject({ bookingId: "bkg_2" });
    expect(calls().filter((call) => call === "POST /v1/holds")).toHaveLength(2);
  });

  test("by its time is held anew by the next try, under another key", async () => {
    const change = new HeldChange();
    const book = answers["POST /v1/bookings"];
    answers["POST /v1/bookings"] = () => refusal("hold_expired");
    await expect(change.carryOut(DATES, "k")).rejects.toThrow("hold_expired");
    if (book !== undefined) answers["POST /v1/bookings"] = book;
    await change.carryOut(DATES, "k");
    const keys = asked.flatMap(({ call, key }) => (call === "POST /v1/holds" ? [key] : []));
    expect(new Set(keys).size).toBe(2);
  });
});

test("a repeat asks with the same keys", async () => {
  const change = new HeldChange();
  const book = answers["POST /v1/bookings"];
  answers["POST /v1/bookings"] = () => refusal("internal_error", {}, 500);
  await expect(change.carryOut(DATES, "k")).rejects.toThrow("internal_error");
  if (book !== undefined) answers["POST /v1/bookings"] = book;
  await change.carryOut(DATES, "k");
  const [hold, booked, ...again] = asked.map(({ key }) => key);
  expect(again).toEqual([hold, booked]);
  expect(hold).not.toBe(booked);
});

test("another price than the guest was told books nothing; the next try agrees to it", async () => {
  const change = new HeldChange();
  answers["POST /v1/holds"] = () => heldFor(50_000);
  const price = { amount: 50_000, currency: "EUR" };
  await expect(change.carryOut(DATES, "k")).rejects.toMatchObject({ price });
  await expect(change.carryOut(DATES, "k")).rejects.toBeInstanceOf(PriceChanged);
  expect(calls()).toEqual([
    "POST /v1/holds",
    "DELETE /v1/holds/hold_1",
    "POST /v1/holds",
    "DELETE /v1/holds/hold_2",
  ]);
  expect((await change.carryOut({ ...DATES, price }, "k")).id).toBe("bkg_2");
  const keys = asked.flatMap(({ call, key }) => (call === "POST /v1/holds" ? [key] : []));
  expect(new Set(keys).size).toBe(3);
});
