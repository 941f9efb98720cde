// Tokens of mails' links that this tab came by, each for one thing by its id. A token opens that thing and
// nothing else, and goes along with the calls of the thing's page alone.

type Tokens = Record<string, string | null>;

// What a list of bookings stores of itself is a page or two of it.
const LINKS_MAX = 200;

export class PageLinks {
  readonly #keptAs: string;
  readonly #page: RegExp;

  /** `page` is the path of the pages that links lead to, with the thing's id as its first group. */
  constructor(keptAs: string, page: RegExp) {
    this.#keptAs = keptAs;
    this.#page = page;
  }

  #kept(): Tokens {
    try {
      const found: unknown = JSON.parse(sessionStorage.getItem(this.#keptAs) ?? "{}");
      if (typeof found !== "object" || found === null) return {};
      const texts = Object.entries(found).filter(
        (pair): pair is [string, string | null] => pair[1] === null || typeof pair[1] === "string",
      );
      return Object.fromEntries(texts);
    } catch {
      return {};
    }
  }

  #keep(tokens: Tokens): void {
    const newest = Object.entries(tokens).slice(-LINKS_MAX);
    sessionStorage.setItem(this.#keptAs, JSON.stringify(Object.fromEntries(newest)));
  }

  #idOfPage(): string | null {
    return this.#page.exec(globalThis.location.pathname)?.[1] ?? null;
  }

  /** Takes the token out of the address, so that it is not copied on, and stores it for this tab, so that a
   * reload works. */
  take(): void {
    const id = this.#idOfPage();
    if (id === null) return;
    const url = new URL(globalThis.location.href);
    const said = new URLSearchParams(url.hash.slice(1));
    const token = said.get("token");
    if (token === null) return;
    said.delete("token");
    url.hash = said.toString();
    history.replaceState(history.state, "", url);
    this.keep([[id, token]]);
  }

  /** Stores tokens for this tab. */
  keep(tokens: Iterable<readonly [id: string, token: string]>): void {
    const all = this.#kept();
    for (const [id, token] of tokens) {
      delete all[id];
      all[id] = token;
    }
    this.#keep(all);
  }

  /** The token of this thing, if this tab has one. */
  of(id: string): string | null {
    return this.#kept()[id] ?? null;
  }

  /** The token for the thing whose page this is. */
  ofPage(): string | null {
    const id = this.#idOfPage();
    return id === null ? null : this.of(id);
  }

  /** Forgets the token of this page's thing, which is ended or over. Says whether there was one. */
  dropOfPage(): boolean {
    const id = this.#idOfPage();
    if (id === null || this.of(id) === null) return false;
    this.#keep({ ...this.#kept(), [id]: null });
    return true;
  }

  /** Whether this tab had a token of it that opens nothing any more. */
  wasDropped(id: string): boolean {
    return this.#kept()[id] === null;
  }

  /** Forgets all tokens, as of who has signed out. */
  clear(): void {
    sessionStorage.removeItem(this.#keptAs);
  }
}
