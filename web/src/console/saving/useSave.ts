// Saves a form: busy meanwhile, what was refused stays beside it, and what is stale is read anew. The
// same key goes along until it succeeds, so that a lost reply makes nothing twice.
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { idempotencyKey } from "~/api/client";

export function useSave(stale: readonly string[]) {
  const queries = useQueryClient();
  const key = useRef<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async <Saved>(
    call: (key: string) => Promise<Saved>,
    onSaved: (saved: Saved) => void,
  ): Promise<void> => {
    key.current ??= idempotencyKey();
    setBusy(true);
    setError(null);
    try {
      const saved = await call(key.current);
      key.current = null;
      void queries.invalidateQueries({ queryKey: stale });
      onSaved(saved);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  /** What is sent was changed: it is another request. */
  const renew = () => {
    key.current = null;
  };
  return { busy, error, save, renew, forget: () => setError(null) };
}
