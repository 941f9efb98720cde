// Which key a visitor's wish goes under, so that pressing the button again is not another wish.
import { BespeakError } from "../../core/problems.ts";

/** Whether nobody knows if a request was carried out. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof BespeakError && error.isUnavailable && error.status !== 429;
}

/** The same wish keeps its key while it has no answer; another one, and one after an answer, has a new. */
export class WishKeys {
  #wish = "";
  #key = "";

  /** Carries a wish out under its key. `wish` is equal for equal wishes. */
  async carryOut<Answer>(wish: string, send: (key: string) => Promise<Answer>): Promise<Answer> {
    if (wish !== this.#wish || this.#key === "") {
      this.#wish = wish;
      this.#key = crypto.randomUUID();
    }
    const key = this.#key;
    try {
      const answer = await send(key);
      this.#forget(key);
      return answer;
    } catch (error) {
      if (!isUnanswered(error)) this.#forget(key);
      throw error;
    }
  }

  // A newer wish may have taken the place meanwhile.
  #forget(key: string): void {
    if (this.#key === key) this.#key = "";
  }
}
