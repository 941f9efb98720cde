// The visitor's regional variant of a language: whoever reads English as en-GB gets British dates.

/** The first of the browser's languages that is this one and names a region; else the language. */
export function regional(
  language: string,
  tags: readonly string[] = globalThis.navigator?.languages ?? [],
): string {
  return tags.find((tag) => names(tag, language)) ?? language;
}

function names(tag: string, language: string): boolean {
  try {
    const locale = new Intl.Locale(tag);
    return locale.language === language && locale.region !== undefined;
  } catch {
    return false; // not a language tag
  }
}
