// The contact of a booking as it is typed at the desk.
import { phoneOf } from "~/api/phone";
import type { BookingContact, Contact } from "~/api/schema";
import { isEmail } from "~/shop/checkout/contact";

export type TypedContact = {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
};

/** What the fields say of a contact; of none, nothing. */
export function typedOf({ contact }: Pick<BookingContact, "contact">): TypedContact {
  const { name, email, phone } = contact ?? {};
  return { name: name ?? "", email: email ?? "", phone: phone ?? "" };
}

/** As it is sent: without what is only there to be looked at. */
export function tidied({ name, email, phone }: TypedContact): TypedContact {
  return { name: name.trim(), email: email.trim(), phone: phoneOf(phone) ?? phone.trim() };
}

/** What is wrong with it: it is nobody, or one of its fields is not what it should be. */
export function faultsOf(typed: TypedContact) {
  const { name, email, phone } = tidied(typed);
  return {
    isNobody: name === "" && email === "" && phone === "",
    isEmailWrong: email !== "" && !isEmail(email),
    isPhoneWrong: phoneOf(phone) === null,
  };
}

/** The whole contact; news goes on in the language that it has. */
export function contactOf(
  typed: TypedContact,
  before: Contact | null | undefined,
  locale: string,
): Contact {
  const said = Object.entries(tidied(typed)).filter(([, text]) => text !== "");
  return { ...Object.fromEntries(said), locale: before?.locale ?? locale };
}
