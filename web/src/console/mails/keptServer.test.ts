// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import type { MailServerView } from "~/api/schema";
import { dropServer, keepServer, keptServer } from "./keptServer";
import type { ServerDraft } from "./serverDraft";

const VIEW: MailServerView = {
  decided_by: "nobody",
  host: null,
  port: null,
  encryption: null,
  username: null,
  has_password: false,
  must_set_password: false,
  sender: "Bespeak <bookings@localhost>",
  is_sender_fixed: false,
  changed_at: null,
};
const TYPED: ServerDraft = {
  host: "mail.example",
  port: "465",
  encryption: "tls",
  username: "box",
  password: "hunter2 of the box",
  sender: "Box <box@mail.example>",
};

beforeEach(() => sessionStorage.clear());

test("all that was typed is there again, and the password was kept nowhere", () => {
  expect(keptServer(VIEW)).toBeNull();
  keepServer(TYPED, VIEW);
  expect(keptServer(VIEW)).toEqual({ draft: { ...TYPED, password: "" }, hadPassword: true });
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain("hunter2");
  keepServer({ ...TYPED, password: "" }, VIEW);
  expect(keptServer(VIEW)?.hadPassword).toBe(false);
  dropServer();
  expect(keptServer(VIEW)).toBeNull();
});

test("what was typed over another state is none of this one", () => {
  keepServer(TYPED, VIEW);
  expect(keptServer({ ...VIEW, changed_at: "2030-01-01T00:00:00Z" })).toBeNull();
});

test.each(["", "[]", "{}", '{"host": 1, "encryption": "tls", "typed_over": null}'])(
  "what cannot be read is nothing: %s",
  (stored) => {
    sessionStorage.setItem("bespeak.console.mail-server", stored);
    expect(keptServer(VIEW)).toBeNull();
  },
);
