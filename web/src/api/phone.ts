// Telephone numbers: as people type them, as the server takes them, and as a link that calls them.

/** As long as the server takes. */
export const PHONE_LENGTH_MAX = 40;

const PHONE = /^\+?\(?[0-9][0-9 ()./-]{1,38}[0-9]$/;
// What comes along when a number is copied, to say in which direction it is written.
const DIRECTIONS = /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/gu;
const SPACES = /\s+/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/gu;

/** A number as the server takes it, also of one who types Arabic digits; "" of nothing, null of what is none. */
export function phoneOf(typed: string): string | null {
  const said = typed
    .replace(DIRECTIONS, "")
    .replace(SPACES, " ")
    .replace(DASHES, "-")
    // Both rows of digits begin at a number that sixteen divides.
    .replace(DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
    .trim();
  if (said === "") return "";
  return said.length <= PHONE_LENGTH_MAX && PHONE.test(said) ? said : null;
}

export function phoneHref(phone: string): string {
  return `tel:${phone.replace("(0)", "").replace(/[^+0-9]/g, "")}`;
}
