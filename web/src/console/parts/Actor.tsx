// Who did something: a key or an operator by name, for those who may list both; others see the id.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, listsPeople, useOwnSession } from "../session";
import { actorWords } from "./actorWords";

const NAMES_STALE_MS = 60_000;

export function Actor({ actor }: { actor: string }) {
  const { t } = useTranslation("console");
  const { who, name } = actorWords(actor, useNames());
  return <>{t(`actor.${who}`, { name })}</>;
}

/** The names of keys and operators by their ids; of who may not list them none, and nothing is asked. */
function useNames(): ReadonlyMap<string, string> {
  const session = useOwnSession();
  const asked = {
    enabled: session !== null && listsPeople(session),
    staleTime: NAMES_STALE_MS,
    select: namesOf,
  };
  const keys = useQuery({ queryKey: ["keys"], queryFn: () => api.GET("/v1/keys"), ...asked });
  const operators = useQuery({
    queryKey: ["operators"],
    queryFn: () => api.GET("/v1/operators"),
    ...asked,
  });
  return new Map([...(keys.data ?? []), ...(operators.data ?? [])]);
}

type Named = { readonly id: string; readonly name: string };

function namesOf({ items }: { items: readonly Named[] }): ReadonlyMap<string, string> {
  return new Map(items.map((one) => [one.id, one.name]));
}
