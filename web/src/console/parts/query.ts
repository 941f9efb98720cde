// Addresses with a query: those of the API's documents (CSV), and those of the console's own tables,
// whose search, filters and order live in the address so that Back, reload and a shared link work.

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A path with a query of the parameters that say something, in the order they are given. */
export function withQuery(path: string, params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The address of a list as a CSV file: all of what the table shows, from its beginning. */
export function csvHref(path: string, params: Params): string {
  const { after: _after, limit: _limit, ...wanted } = params;
  return withQuery(path, { ...wanted, format: "csv" });
}

/** A table's state from the query of the page: what is not there or not allowed is the default. */
export function readTable<T extends Record<string, string>>(
  search: string,
  defaults: T,
  allowed: Partial<Record<keyof T & string, readonly string[]>> = {},
): T {
  const query = new URLSearchParams(search);
  const state: T = { ...defaults };
  for (const name in defaults) {
    const value = query.get(name);
    const choices = allowed[name];
    if (value === null || (choices !== undefined && !choices.includes(value))) continue;
    Object.assign(state, { [name]: value.slice(0, VALUE_MAX) });
  }
  return state;
}

/** The query of the page for a table's state; defaults are left out. */
export function writeTable<T extends Record<string, string>>(state: T, defaults: T): string {
  const query = new URLSearchParams();
  for (const name in defaults) {
    const value = state[name];
    if (value !== undefined && value !== defaults[name] && value !== "") query.set(name, value);
  }
  return query.toString();
}

const VALUE_MAX = 200;
