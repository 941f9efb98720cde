/** What is asked for behind the `?`; what is null or undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The address of a path, below the path of the server's own address if it has one. */
export function addressOf(url: string, path: string, query: Query = {}): URL {
  const base = new URL(url);
  const found = new URL(base.pathname.replace(/\/$/, "") + path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) found.searchParams.set(name, String(value));
  }
  return found;
}
