// Pays for a hold: starts an attempt, resumes a stored one, goes to the bank and comes back.
import { useCallback, useEffect, useRef, useState } from "react";
import type { CheckoutAnswer } from "~/api/schema";
import { useHoldsChanged } from "../holds";
import { useShop } from "../session";
import {
  dropAttempt,
  isOver,
  keepAttempt,
  keptAttempt,
  newAttempt,
  type Attempt,
  type Contact,
  type AttemptState,
} from "./attempt";
import { runAttempt, waitFor } from "./runAttempt";

const RETURNED_WITH = "payment_id";

/** The payment id that the bank's page returned with, removed from the address. */
function takeReturned(): string | null {
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
  const begun = kept ?? newAttempt(holdId, null, null);
  return { ...begun, paymentId: returned };
}

/** Pays with what the form says; null where it says nothing. */
export type Pay = (
  token: string | null,
  contact: Contact | null,
  consent: string | null,
  answers: CheckoutAnswer[] | null,
) => void;

type Paying = {
  /** Null before the first attempt. */
  state: AttemptState | null;
  isBusy: boolean;
  /** Whether it was resumed after a reload or a visit to the bank. */
  isResumed: boolean;
  pay: Pay;
};

export function usePayment(holdId: string): Paying {
  const { api } = useShop();
  const changed = useHoldsChanged();
  const [state, setState] = useState<AttemptState | null>(null);
  const [isResumed, setResumed] = useState(() => hasReturned() || keptAttempt(holdId) !== null);
  const [isBusy, setBusy] = useState(isResumed);
  const leaving = useRef(new AbortController());

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
            provider: null,
            return_url: `${globalThis.location.origin}/checkout/${one.holdId}`,
            contact: one.contact,
            consent: one.consent,
            answers: one.answers,
          },
          key: one.key,
        });
      const read = (paymentId: string) =>
        api.GET("/v1/payments/{payment_id}", { path: { payment_id: paymentId } });
      const onState = (told: AttemptState) => {
        setState(told);
        if (told.kind !== "challenge" || !mayLeave) return;
        // Go to the bank once; on return there is a link.
        control.abort();
        globalThis.location.assign(told.url);
      };
      const calls = { send, read, keep: keepAttempt, wait: waitFor, onState };
      const run = async () => {
        const end = await runAttempt(attempt, calls, control.signal);
        if (end === null) return;
        setBusy(false);
        if (isOver(end)) dropAttempt(holdId);
        changed();
      };
      void run();
    },
    [api, changed, holdId],
  );

  useEffect(() => {
    const begun = attemptUnderWay(holdId, takeReturned());
    if (begun !== null) {
      keepAttempt(begun);
      follow(begun, false);
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
  }, [holdId, follow]);

  const pay: Pay = (token, contact, consent, answers) => {
    if (isBusy) return;
    const attempt = newAttempt(holdId, token, contact, consent, answers);
    keepAttempt(attempt);
    setState(null);
    setResumed(false);
    setBusy(true);
    follow(attempt, true);
  };
  return { state, isBusy, isResumed, pay };
}
