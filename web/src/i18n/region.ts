// The visitor's regional variant of a language: whoever reads English as en-GB gets British dates.

const NO_TAGS: readonly string[] = [];
// By the browser's own list, which is another when it changes. Every number and date asks.
const known = new WeakMap<readonly string[], Map<string, string>>();

/** The first of the browser's languages that is this one and names a region; else the language. */
export function regional(
  language: string,
  tags: readonly string[] = globalThis.navigator?.languages ?? NO_TAGS,
): string {
  const found = known.get(tags) ?? new Map<string, string>();
  known.set(tags, found);
  const variant = found.get(language) ?? tags.find((tag) => names(tag, language)) ?? language;
  found.set(language, variant);
  return variant;
}

function names(tag: string, language: string): boolean {
  try {
    const locale = new Intl.Locale(tag);
    return locale.language === language && locale.region !== undefined;
  } catch {
    return false; // not a language tag
  }
}
