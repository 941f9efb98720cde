// The buyer's contact: validated as on the server, and stored on this device only if the visitor
// wants that.
import { phoneOf } from "~/api/phone";
import { readStored } from "~/api/stored";
import type { Contact } from "./attempt";

export type ContactFields = { email: string; name: string; phone: string; remember: boolean };

const KEPT_AS = "bespeak.contact";

export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(text);
}

/** The stored contact, or empty fields. */
export function keptContact(store: Storage = localStorage): ContactFields {
  const found = readStored(store, KEPT_AS);
  if (found === null) return { email: "", name: "", phone: "", remember: false };
  const { email, name, phone } = found;
  return {
    email: typeof email === "string" ? email : "",
    name: typeof name === "string" ? name : "",
    phone: typeof phone === "string" ? phone : "",
    remember: true,
  };
}

export function keepContact(fields: ContactFields, store: Storage = localStorage): void {
  if (!fields.remember) return store.removeItem(KEPT_AS);
  const { email, name, phone } = fields;
  store.setItem(KEPT_AS, JSON.stringify({ email, name, phone }));
}

/** Which fields are wrong, and who is told of the booking: null where nobody said it. */
export type Said = {
  readonly isEmailWrong: boolean;
  readonly isPhoneWrong: boolean;
  readonly to: Contact | null;
};

/** Nothing is said anew: the server knows who it is. */
export const AS_BEFORE: Said = { isEmailWrong: false, isPhoneWrong: false, to: null };

/** What the fields say. A name alone is of one who forgot the address, unless they can be called. */
export function saidBy(fields: ContactFields, locale: string, asksPhone: boolean): Said {
  const email = fields.email.trim();
  const name = fields.name.trim();
  // What another kind of booking asked for is not passed on with this one.
  const phone = asksPhone ? phoneOf(fields.phone) : "";
  const isNobody = email === "" && name === "" && phone === "";
  return {
    isEmailWrong: email === "" ? name !== "" && phone === "" : !isEmail(email),
    isPhoneWrong: phone === null,
    to: isNobody
      ? null
      : { email: email || null, name: name || null, phone: phone || null, locale },
  };
}
