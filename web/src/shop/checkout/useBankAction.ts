// Shows what the bank asks in a window of our page, by the script of the provider at which the payment began.
import { useCallback, useState } from "react";

/** It is being asked, or was answered, which the server may not know yet. */
export type Asking = "open" | "answered" | null;

type BankAction = {
  asking: Asking;
  /** Without a key there is nothing to show it with. */
  show: (clientSecret: string, publishableKey: string | null) => Promise<void>;
  reset: () => void;
};

export function useBankAction(): BankAction {
  const [asking, setAsking] = useState<Asking>(null);
  const show = useCallback(async (clientSecret: string, publishableKey: string | null) => {
    if (publishableKey === null) return;
    setAsking("open");
    let isAnswered = false;
    try {
      const { askHere } = await import("./stripe/ask");
      isAnswered = await askHere(publishableKey, clientSecret);
    } catch {
      // The script cannot be loaded, or there is nothing to ask any more: the server says how it stands.
    }
    setAsking(isAnswered ? "answered" : null);
  }, []);
  const reset = useCallback(() => setAsking(null), []);
  return { asking, show, reset };
}
