// Saves what was planned for several listings, one after the other, each only while it is as it was
// seen. Of one whose answer was lost, the rules that are there now say whether it was saved.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NightRule } from "~/api/schema";
import { BOARD } from "../board/calls";
import { api } from "../session";
import { STAYS } from "./calls";
import { areAlike } from "./nightRules";
import type { Planned } from "./nightsDraft";

export type Outcome = {
  readonly saved: readonly string[];
  readonly refused: readonly { readonly id: string; readonly error: unknown }[];
};

export function useNightsSaving() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  /** The ids of the listings that were not changed. */
  const save = async (planned: readonly Planned[]): Promise<string[]> => {
    setBusy(true);
    setOutcome(null);
    const saved: string[] = [];
    const refused: { id: string; error: unknown }[] = [];
    for (const one of planned) {
      const { id } = one.listing;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one at a time: each locks the property
        await put(one);
        saved.push(id);
      } catch (error) {
        // oxlint-disable-next-line no-await-in-loop
        if (await isThere(id, one.rules)) saved.push(id);
        else refused.push({ id, error });
      }
    }
    // The preview is of what is there now, before it can be saved again.
    await queries.invalidateQueries({ queryKey: STAYS });
    void queries.invalidateQueries({ queryKey: [BOARD] });
    for (const id of saved) void queries.invalidateQueries({ queryKey: ["resource", id] });
    setOutcome({ saved, refused });
    setBusy(false);
    return refused.map(({ id }) => id);
  };
  return { busy, outcome, save, forget: () => setOutcome(null) };
}

async function put({ listing: { id, version }, plan, rules }: Planned): Promise<void> {
  await api.PATCH("/v1/listings/{listing_id}", {
    path: { listing_id: id },
    body: {
      ...(typeof version === "number" && { version }),
      plan: { ...plan, rules: [...rules] },
    },
  });
}

async function isThere(id: string, rules: readonly NightRule[]): Promise<boolean> {
  try {
    const found = await api.GET("/v1/listings/{listing_id}", {
      path: { listing_id: id },
      query: { days: 1 },
    });
    return areAlike(found.plan?.rules ?? [], rules);
  } catch {
    return false;
  }
}
