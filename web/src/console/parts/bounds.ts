// Where a key or an operator is bound, as it is typed: ids of resources, or one place of a vertical.

export type Bounds =
  { readonly resources: string[] } | { readonly place: string } | Record<string, never>;

/** What a text says: a place has a slash in it, an empty text is everywhere. Null: it says both, or
 * several places, which is nowhere. */
export function boundsOf(text: string): Bounds | null {
  const named = text.split(/[\s,]+/).filter(Boolean);
  const place = named.find((one) => one.includes("/"));
  if (place === undefined) return named.length > 0 ? { resources: named } : {};
  return named.length === 1 ? { place } : null;
}

/** As it would be typed. */
export function boundsText(of: {
  readonly resources: readonly string[] | null;
  readonly place: string | null;
}): string {
  return of.place ?? of.resources?.join(", ") ?? "";
}
