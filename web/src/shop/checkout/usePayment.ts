// Pays for a hold: starts an attempt, resumes a stored one, goes to the bank and comes back.
import { useCallback, useEffect, useRef, useState } from "react";
import { useHoldsChanged } from "../holds";
import { useShop } from "../session";
import {
  dropAttempt,
  isOver,
  keepAttempt,
  keptAttempt,
  newAttempt,
  type Attempt,
  type AttemptState,
  type Order,
} from "./attempt";
import { secretOf, takeSecret } from "./bankAction";
import { useBankAction, type Asking } from "./useBankAction";
import { runAttempt, waitFor } from "./runAttempt";

const RETURNED_WITH = "payment_id";

/** The payment id that the bank's page returned with, removed from the address; and whether the bank is to ask
 * here. */
function takeReturned(): { id: string | null; mustAsk: boolean } {
  const mustAsk = takeSecret();
  return { id: takeId(), mustAsk };
}

function takeId(): string | null {
  const url = new URL(globalThis.location.href);
  const id = url.searchParams.get(RETURNED_WITH);
  if (id === null) return null;
  url.searchParams.delete(RETURNED_WITH);
  history.replaceState(history.state, "", url);
  return id;
}

function hasReturned(): boolean {
  return new URLSearchParams(globalThis.location.search).has(RETURNED_WITH);
}

export function attemptUnderWay(holdId: string, returned: string | null): Attempt | null {
  const kept = keptAttempt(holdId);
  if (returned === null) return kept;
  const begun = kept ?? newAttempt(holdId);
  return { ...begun, paymentId: returned };
}

/** Pays with what the form says. */
export type Pay = (order: Partial<Order>) => void;

type Paying = {
  /** Null before the first attempt. */
  state: AttemptState | null;
  isBusy: boolean;
  /** Whether it was resumed after a reload or a visit to the bank. */
  isResumed: boolean;
  asking: Asking;
  /** Shows what the bank asks in our page; null where there is nothing to show. */
  ask: (() => void) | null;
  pay: Pay;
};

export function usePayment(holdId: string): Paying {
  const { api, renew, session } = useShop();
  const changed = useHoldsChanged();
  const [state, setState] = useState<AttemptState | null>(null);
  const [isResumed, setResumed] = useState(() => hasReturned() || keptAttempt(holdId) !== null);
  const [isBusy, setBusy] = useState(isResumed);
  const leaving = useRef(new AbortController());
  const { asking, show, reset } = useBankAction();
  // A payment that began in another tab began most likely at this account.
  const [keyNow] = useState(session.payment_form?.publishable_key ?? null);
  const [begunAt, setBegunAt] = useState<string | null>(null);

  const follow = useCallback(
    (attempt: Attempt, mayLeave: boolean) => {
      leaving.current.abort();
      const control = new AbortController();
      leaving.current = control;
      const send = (one: Attempt) =>
        api.POST("/v1/bookings", {
          body: {
            hold_id: one.holdId,
            payment_token: one.token,
            provider: one.provider,
            return_url: `${globalThis.location.origin}/checkout/${one.holdId}`,
            contact: one.contact,
            consent: one.consent,
            answers: one.answers,
          },
          key: one.key,
        });
      const read = (paymentId: string) =>
        api.GET("/v1/payments/{payment_id}", { path: { payment_id: paymentId } });
      let asked: string | null = null;
      const onState = (told: AttemptState) => {
        setState(told);
        setBegunAt(attempt.publishableKey);
        if (told.kind !== "challenge" || !mayLeave) return;
        const secret = secretOf(told.url);
        if (secret !== null) {
          // Each once by itself; then when the buyer wants it.
          if (secret !== asked) void show(secret, attempt.publishableKey);
          asked = secret;
          return;
        }
        // Go to the bank once; on return there is a link.
        control.abort();
        globalThis.location.assign(told.url);
      };
      const calls = { send, read, keep: keepAttempt, wait: waitFor, onState };
      const run = async () => {
        const end = await runAttempt(attempt, calls, control.signal);
        if (end === null) return;
        if (isOver(end)) dropAttempt(holdId);
        // Another session tells where buyers pay now.
        if (end.kind === "elsewhere") await renew().catch(() => undefined);
        setBusy(false);
        changed();
      };
      void run();
    },
    [api, changed, holdId, renew, show],
  );

  useEffect(() => {
    const { id, mustAsk } = takeReturned();
    const begun = attemptUnderWay(holdId, id);
    if (begun !== null) {
      keepAttempt(begun);
      follow({ ...begun, publishableKey: begun.publishableKey ?? keyNow }, mustAsk);
    }
    // The page may come from the back-forward cache.
    const shown = (event: PageTransitionEvent) => {
      const kept = event.persisted ? keptAttempt(holdId) : null;
      if (kept === null) return;
      setBusy(true);
      follow(kept, false);
    };
    globalThis.addEventListener("pageshow", shown);
    const control = leaving;
    return () => {
      globalThis.removeEventListener("pageshow", shown);
      control.current.abort();
    };
  }, [holdId, follow, keyNow]);

  const pay: Pay = (order) => {
    if (isBusy) return;
    const attempt = newAttempt(holdId, order);
    keepAttempt(attempt);
    setState(null);
    reset();
    setResumed(false);
    setBusy(true);
    follow(attempt, true);
  };
  const secret = state?.kind === "challenge" ? secretOf(state.url) : null;
  const canAsk = secret !== null && begunAt !== null && asking === null;
  const ask = canAsk ? () => void show(secret, begunAt) : null;
  return { state, isBusy, isResumed, asking, ask, pay };
}
