import { expect, test } from "vitest";
import type { MailServerView } from "~/api/schema";
import { isOver } from "../saving/changes";
import {
  encrypted,
  fieldOf,
  serverChange,
  serverDraftOf,
  serverOf,
  serverOwn,
  wholeServer,
} from "./serverDraft";
import { UNSET } from "./testing/views";

const SET: MailServerView = {
  ...UNSET,
  version: 7,
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

test("what somebody else has changed of it stays, and the version is the present one", () => {
  const now = { ...SET, version: 8, host: "other.example" };
  const change = serverChange(SET, { ...serverDraftOf(SET), sender: "Desk <desk@mail.example>" });
  expect(isOver(serverOwn(SET), serverOwn(now), change)).toBe(false);
  expect(wholeServer(change, now)).toMatchObject({
    host: "other.example",
    sender: "Desk <desk@mail.example>",
    password: null,
    version: 8,
  });
});

test("a password is sent to the server and user that it was typed for, and to no other", () => {
  const now = { ...SET, version: 8, host: "other.example" };
  const change = serverChange(SET, { ...serverDraftOf(SET), password: "secret" });
  expect(isOver(serverOwn(SET), serverOwn(now), change)).toBe(true);
  expect(wholeServer(change, now)).toMatchObject({ host: "mail.example", password: "secret" });
});

test("a trial names a field as the form does", () => {
  expect([fieldOf("server.port"), fieldOf("host"), fieldOf(undefined)]).toEqual([
    "port",
    "host",
    null,
  ]);
});
