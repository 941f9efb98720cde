// How many decimals each currency has. Browsers differ in what they know of it, and some say how cash is
// used. A twin of the engine's list (money.py), because pages answer without it; a test compares them.
const OTHER_THAN_TWO: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};
const USUAL = 2;

const decimals = new Map(
  Object.entries(OTHER_THAN_TWO).flatMap(([count, codes]) =>
    codes.split(" ").map((code) => [code, Number(count)] as const),
  ),
);

export function decimalsOf(currency: string): number {
  return decimals.get(currency) ?? USUAL;
}

/** The options of a number format that shows amounts of this currency. */
export function moneyOptions(currency: string): Intl.NumberFormatOptions {
  const digits = decimalsOf(currency);
  return {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  };
}
