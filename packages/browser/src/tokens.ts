// The shopper's token: asked for when it is needed, and again before it ends or when it is refused.
import type { BespeakError } from "../../core/problems.ts";

/** Your server's answer to its own visitor, as `mintToken` gives it. Without `expires_at`, a token is
 * good until it is refused. */
export type SuppliedToken = { readonly token: string; readonly expires_at?: string };
export type TokenSupplier = () => Promise<string | SuppliedToken>;

const RENEW_BEFORE_MS = 30_000;

export class TokenKeeper {
  readonly #supply: TokenSupplier;
  readonly #now: () => number;
  #token: string | null = null;
  #endsAt = Infinity;
  #asked: Promise<string> | null = null;

  /** `now` is the server's time, by which tokens end. */
  constructor(supply: TokenSupplier, now: () => number) {
    this.#supply = supply;
    this.#now = now;
  }

  /** A token that is good for a while; calls at the same time share one question. */
  async token(): Promise<string> {
    if (this.#token !== null && this.#now() < this.#endsAt - RENEW_BEFORE_MS) return this.#token;
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = null;
    });
    return this.#asked;
  }

  /** Whether a refusal was that of an old token, which is then forgotten. */
  isStale(error: Pick<BespeakError, "code">): boolean {
    if (error.code !== "shopper_token_invalid") return false;
    this.#token = null;
    return true;
  }

  async #ask(): Promise<string> {
    const found = await this.#supply();
    const { token, expires_at: end } =
      typeof found === "string" ? { token: found, expires_at: undefined } : found;
    this.#token = token;
    this.#endsAt = end === undefined ? Infinity : Date.parse(end);
    return token;
  }
}
