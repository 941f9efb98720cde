// Query strings of API calls and CSV files, and of the console's tables, whose search, filters and
// order are in the address so that Back, reload and links work.

export type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** The parameters that are not empty, in order. */
export function filled(params: Params): Readonly<Record<string, string>> {
  const given = Object.entries(params).filter(([, value]) => value !== "" && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** A path with the parameters that are not empty. */
export function withQuery(path: string, params: Params): string {
  const text = new URLSearchParams(filled(params)).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The CSV file of a whole list, without paging. */
export function csvHref(path: string, params: Params): string {
  const { after: _after, limit: _limit, ...wanted } = params;
  return withQuery(path, { ...wanted, format: "csv" });
}

/** A table's state from the query string; invalid values become the default. */
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

/** The query string of a table's state, without defaults. */
export function writeTable<T extends Record<string, string>>(state: T, defaults: T): string {
  const query = new URLSearchParams();
  for (const name in defaults) {
    const value = state[name];
    if (value !== undefined && value !== defaults[name] && value !== "") query.set(name, value);
  }
  return query.toString();
}

const VALUE_MAX = 200;
