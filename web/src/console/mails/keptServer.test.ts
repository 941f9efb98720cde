// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import type { ConsoleSessionView } from "~/api/internal";
import { typist } from "../typed";
import { dropServer, keepServer, keptServer } from "./keptServer";
import type { ServerDraft } from "./serverDraft";
import { UNSET } from "./testing/views";

const TYPED: ServerDraft = {
  host: "mail.example",
  port: "465",
  encryption: "tls",
  username: "box",
  password: "hunter2 of the box",
  sender: "Box <box@mail.example>",
};

const OVER = { view: UNSET, by: "opr_1" };
const KEPT = "bespeak.console.typed.mail-server";

function keep(draft: ServerDraft = TYPED, hadPassword = false): void {
  keepServer({ draft, hadPassword }, OVER);
}

beforeEach(() => sessionStorage.clear());

test("all that was typed is there again, and the password was kept nowhere", () => {
  expect(keptServer(OVER)).toBeNull();
  keep();
  expect(keptServer(OVER)).toEqual({ draft: { ...TYPED, password: "" }, hadPassword: true });
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain("hunter2");
  keep({ ...TYPED, password: "" });
  expect(keptServer(OVER)?.hadPassword).toBe(false);
  dropServer();
  expect(keptServer(OVER)).toBeNull();
});

test("that there was a password is known also after another field was mended", () => {
  keep();
  keep({ ...TYPED, password: "", port: "587" }, keptServer(OVER)?.hadPassword);
  expect(keptServer(OVER)?.hadPassword).toBe(true);
});

test("what was typed over another state is none of this one", () => {
  keep();
  const view = { ...UNSET, changed_at: "2030-01-01T00:00:00Z" };
  expect(keptServer({ ...OVER, view })).toBeNull();
});

test("what somebody else typed in this tab is forgotten", () => {
  keep();
  expect(keptServer({ ...OVER, by: "opr_2" })).toBeNull();
  expect(sessionStorage.getItem(KEPT)).toBeNull();
  expect(keptServer(OVER)).toBeNull();
});

test.each([
  [{ operator_id: "opr_1", name: "Ada" }, "opr_1"],
  [{ operator_id: null, name: "office" }, "key office"],
])("%j types as %s", (session, by) => {
  expect(typist(session as ConsoleSessionView)).toBe(by);
});

test.each(["", "[]", "{}", '{"host": 1, "encryption": "tls", "typed_over": null}'])(
  "what cannot be read is nothing: %s",
  (stored) => {
    const found = stored.replace("{", '{"typed_by": "opr_1",').replace(",}", "}");
    sessionStorage.setItem(KEPT, found);
    expect(keptServer(OVER)).toBeNull();
  },
);
