// How a waitlist is called, and how it stands.
import { useTranslation } from "react-i18next";
import type { Waitlist } from "~/api/schema";
import { Badge } from "~/design";
import { useResourceNames } from "../resources";

const TONES = { open: "good", closed: "warn", ended: "plain" } as const;

/** By the first of its resources; one that has ended is of none. */
export function ListName({ of: list }: { of: Waitlist }) {
  const { t } = useTranslation("waitlists");
  const [first, ...others] = list.resource_ids;
  const names = useResourceNames(first === undefined ? [] : [first]);
  if (first === undefined) return <bdi>{list.id}</bdi>;
  return (
    <>
      <bdi>{names.get(first)}</bdi>
      {others.length > 0 && <> {t("and_others", { count: others.length })}</>}
    </>
  );
}

export function ListState({ of: list }: { of: Waitlist }) {
  const { t } = useTranslation("waitlists");
  return <Badge tone={TONES[list.state]}>{t(`states.${list.state}`)}</Badge>;
}

export function Policy({ of: list }: { of: Waitlist }) {
  const { t } = useTranslation("waitlists");
  return <>{t(`policies.${list.policy}`)}</>;
}
