import { expect, test } from "vitest";
import type { MailServerView } from "~/api/schema";
import { encrypted, fieldOf, serverDraftOf, serverOf } from "./serverDraft";
import { UNSET } from "./testing/views";

const SET: MailServerView = {
  ...UNSET,
  decided_by: "console",
  host: "mail.example",
  port: 2525,
  encryption: "tls",
  username: "box",
  has_password: true,
  sender: "Box <box@mail.example>",
};

test("nobody's sender is not proposed, and the usual port is", () => {
  const draft = serverDraftOf(UNSET);
  expect(draft).toMatchObject({ sender: "", port: "587", encryption: "starttls" });
});

test("the usual port follows the encryption; one that was typed stays", () => {
  expect(encrypted(serverDraftOf(UNSET), "tls").port).toBe("465");
  expect(encrypted(serverDraftOf(SET), "starttls").port).toBe("2525");
});

test("an empty password keeps the one that is there", () => {
  const draft = serverDraftOf(SET);
  expect(serverOf(draft, SET)).toEqual({
    host: "mail.example",
    port: 2525,
    encryption: "tls",
    username: "box",
    password: null,
    sender: "Box <box@mail.example>",
  });
  expect(serverOf({ ...draft, password: " x " }, SET).password).toBe(" x ");
  expect(serverOf(draft, { ...SET, is_sender_fixed: true }).sender).toBeNull();
});

test("a trial names a field as the form does", () => {
  expect([fieldOf("server.port"), fieldOf("host"), fieldOf(undefined)]).toEqual([
    "port",
    "host",
    null,
  ]);
});
