// The buyer's contact: validated as on the server, and stored on this device only if the visitor
// wants that.
import { readStored } from "~/api/stored";

export type ContactFields = { email: string; name: string; remember: boolean };

const KEPT_AS = "bespeak.contact";

export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(text);
}

/** The stored contact, or empty fields. */
export function keptContact(store: Storage = localStorage): ContactFields {
  const found = readStored(store, KEPT_AS);
  if (found === null) return { email: "", name: "", remember: false };
  const { email, name } = found;
  return {
    email: typeof email === "string" ? email : "",
    name: typeof name === "string" ? name : "",
    remember: true,
  };
}

export function keepContact(fields: ContactFields, store: Storage = localStorage): void {
  if (!fields.remember) return store.removeItem(KEPT_AS);
  store.setItem(KEPT_AS, JSON.stringify({ email: fields.email, name: fields.name }));
}
