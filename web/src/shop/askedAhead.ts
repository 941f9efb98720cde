// The first answers of a page, asked for as soon as there is a session: the program that shows them is
// still on its way then, and finds them here.
import type { Api } from "~/api/client";

type Input = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
};
type Call = readonly [path: string, input?: Input];
/** What is asked with GET: the call's path, what it is given, and what its answer leads to, at a time of the
 * server. */
export type First = readonly [...Call, next?: (answer: never, now: Date) => readonly First[]];

// The program is here sooner, or shows what is asked for anew.
const FRESH_MS = 10_000;
const asked = new Map<string, { at: number; answer: Promise<unknown> }>();

function nameOf(path: string, { path: given, query }: Input = {}): string {
  const sorted = Object.entries(query ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([path, given ?? {}, sorted.map(([key, value]) => [key, String(value)])]);
}

/** `behindMs` is how far this device's clock is behind the server's. */
export function askAhead(api: Api, first: readonly First[], behindMs = 0): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- paths and inputs as the pages give them
  const get = api.GET as (...of: Call) => Promise<never>;
  for (const [path, input, next] of first) {
    const answer = get(path, input);
    asked.set(nameOf(path, input), { at: Date.now(), answer });
    answer
      .then(
        (found) => next && askAhead(api, next(found, new Date(Date.now() + behindMs)), behindMs),
      )
      .catch(() => undefined); // whoever takes it sees what went wrong
  }
}

/** The same calls, of which each takes what was asked for ahead, once. One that failed is made again. */
export function takingAhead(api: Api): Api {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same calls, at one type
  const get = api.GET as (...of: Call) => Promise<unknown>;
  const taking = (...of: Call): Promise<unknown> => {
    const name = nameOf(...of);
    const found = asked.get(name);
    asked.delete(name);
    if (found === undefined || Date.now() - found.at > FRESH_MS) return get(...of);
    return found.answer.catch(() => get(...of));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return { ...api, GET: taking as Api["GET"] };
}
