// A server of Bespeak from a page: the verbs of a shopper, what is live, and the server's clock.
import { followLive, type LiveListener } from "../../core/live.ts";
import { hasCode, type ProblemOf } from "../../core/problems.ts";
import { linkHeader } from "../../core/requests.ts";
import { CHALLENGE_HEADER, Transport, type TransportOptions } from "../../core/transport.ts";
import { WaitlistVerbs } from "../../core/waitlistVerbs.ts";
import { ServerClock } from "./clock.ts";
import { TokenKeeper, type TokenSupplier } from "./tokens.ts";

export type ClientOptions = TransportOptions & {
  /** The publishable key, a `pk_`, which is no secret. */
  readonly key: string;
  /** Where the token of the visitor comes from; without it one only looks. */
  readonly token?: TokenSupplier;
  /** The token of a mail's link to an entry of a waitlist: it opens that entry, the holds that it was
   * offered and their payments, whoever the visitor is. */
  readonly waitlistLink?: string;
  /** Solves a challenge that the server asks for where much is held from one network; answers what
   * is to be sent, or null. Without it, such a call ends in `challenge_required`. */
  readonly solve?: (challenge: Challenge) => Promise<string | null>;
};

export type Challenge = ProblemOf<"challenge_required">["challenge"];

export class Client extends WaitlistVerbs {
  /** The server's clock, as its answers tell it. */
  readonly clock: ServerClock;

  constructor(options: ClientOptions) {
    const clock = new ServerClock();
    const tokens = options.token && new TokenKeeper(options.token, () => clock.now());
    const known = { authorization: `Bearer ${options.key}`, ...linkHeader(options.waitlistLink) };
    super(
      new Transport(options, {
        headers: async () =>
          tokens === undefined ? known : { ...known, "bespeak-shopper": await tokens.token() },
        isRenewed: async (error) => tokens?.isStale(error) === true,
        headersAfter: async (error) => {
          if (options.solve === undefined || !hasCode(error, "challenge_required")) return null;
          const answer = await options.solve(error.problem.challenge);
          return answer === null ? null : { [CHALLENGE_HEADER]: answer };
        },
        onAnswer: (body, sentMs, receivedMs) => clock.noteHold(body, sentMs, receivedMs),
      }),
    );
    this.clock = clock;
  }

  /** Tells what happens to a resource, as it happens; the function that it answers ends that. */
  follow(resourceId: string, listener: LiveListener): () => void {
    return followLive(this.transport.liveSource, resourceId, listener);
  }
}
