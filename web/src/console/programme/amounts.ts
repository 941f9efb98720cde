// Amounts and shares as people type them: in whole units with the decimals of the currency, and in
// per cent. A comma and a point both part decimals; what could be read in two ways is not read.
import { decimalsOf } from "~/i18n/currencies";

const AMOUNT_MAX = 1_000_000_000_000;
const BASIS_POINTS_ALL = 10_000;

/** Minor units of "12,50" EUR; null where that is no amount of the currency. */
export function readAmount(text: string, currency: string): number | null {
  return readDecimal(text, decimalsOf(currency), AMOUNT_MAX);
}

/** Minor units as they are typed: 1250 EUR is "12.50". */
export function writeAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (amount / 10 ** decimals).toFixed(decimals);
}

/** Basis points of "7,7" per cent; null where that is no share. */
export function readShare(text: string): number | null {
  return readDecimal(text, 2, BASIS_POINTS_ALL);
}

export function writeShare(basisPoints: number): string {
  return String(basisPoints / 100);
}

/** A whole number from `least` to `most`; null where the text is none. */
export function readWhole(text: string, least: number, most: number): number | null {
  const digits = latin(text.trim());
  if (!/^\d{1,9}$/u.test(digits)) return null;
  const value = Number(digits);
  return value >= least && value <= most ? value : null;
}

function readDecimal(text: string, decimals: number, most: number): number | null {
  const found = /^(\d{1,13})(?:[.,٫](\d+))?$/u.exec(latin(text.trim()));
  if (found === null) return null;
  const [, whole = "", rest = ""] = found;
  if (rest.length > decimals) return null;
  const value = Number(whole) * 10 ** decimals + Number(rest.padEnd(decimals, "0") || "0");
  return value <= most ? value : null;
}

const ARABIC_ZERO = 0x06_60;

/** Arabic digits are digits too. */
function latin(text: string): string {
  return text.replaceAll(/[٠-٩]/gu, (digit) =>
    String((digit.codePointAt(0) ?? ARABIC_ZERO) - ARABIC_ZERO),
  );
}
