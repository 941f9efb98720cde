// Challenges that the server asks for where much is held from one network. The visitor has nothing
// to do; the page says that it takes a moment.
import type { Work } from "./proofOfWork";
import { isRecord } from "./record";

/** The code of a refusal that brings a challenge. */
export const CHALLENGE_REQUIRED = "challenge_required";

const SECONDS_MAX = 60;
const PARTS_MAX = 64;
const BITS_MAX = 24;
const listeners = new Set<() => void>();

/** Calls `listener` whenever a challenge is begun; answers what ends that. */
export function whenChallenged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The answer to a challenge; null for one of another kind, or that was not solved. */
export async function solveChallenge(challenge: unknown): Promise<string | null> {
  const work = workOf(challenge);
  if (work === null) return null;
  for (const listener of listeners) listener();
  const worker = new Worker(new URL("challengeWorker.ts", import.meta.url), { type: "module" });
  try {
    return await answerOf(worker, work);
  } finally {
    worker.terminate();
  }
}

export function workOf(challenge: unknown): Work | null {
  if (!isRecord(challenge) || challenge["kind"] !== "proof_of_work") return null;
  const { token, parts, bits } = challenge;
  if (typeof token !== "string" || typeof parts !== "number" || typeof bits !== "number")
    return null;
  // A mistaken server must not keep a phone busy for ever.
  return parts <= PARTS_MAX && bits <= BITS_MAX ? { token, parts, bits } : null;
}

function answerOf(worker: Worker, work: Work): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), SECONDS_MAX * 1000);
    const end = (answer: string | null) => {
      clearTimeout(timer);
      resolve(answer);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<unknown>) =>
      end(typeof data === "string" ? data : null),
    );
    worker.addEventListener("error", () => end(null));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(work);
  });
}
