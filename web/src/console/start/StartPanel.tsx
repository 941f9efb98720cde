// The next of the first steps, on the page that an operator sees first: until something was sold, or
// until they do not want to see it again.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, ButtonLink } from "~/design";
import { Panel } from "../parts";
import { useManagesAll, useOwnSession } from "../session";
import { openSteps } from "./steps";
import { useSteps } from "./useSteps";

const AWAY_KEPT_AS = "bespeak.console.start.away";

export function StartPanel() {
  const session = useOwnSession();
  const key = `${AWAY_KEPT_AS}.${session?.workspace ?? ""}`;
  const [isAway, setAway] = useState(() => localStorage.getItem(key) !== null);
  const managesAll = useManagesAll();
  if (isAway || !managesAll) return null;
  const putAway = () => {
    localStorage.setItem(key, "yes");
    setAway(true);
  };
  return <Waiting onAway={putAway} />;
}

function Waiting({ onAway }: { onAway: () => void }) {
  const { t, ready } = useTranslation("programme");
  const steps = useSteps();
  // Whoever sells already needs no first steps.
  if (!ready || steps === undefined || isSelling(steps)) return null;
  const open = openSteps(steps);
  const [next] = open;
  if (next === undefined) return null;
  return (
    <Panel
      className="programme-start"
      title={t("start.panel")}
      lead={t("start.panel_lead", { count: open.length })}
      actions={
        <Button kind="bare" size="small" onClick={onAway}>
          {t("start.dismiss")}
        </Button>
      }
    >
      <p>
        {t("start.next")}: <strong>{t(`start.steps.${next.name}`)}</strong>
      </p>
      <div className="console-actions">
        {next.href !== null && <ButtonLink href={next.href}>{t("start.go")}</ButtonLink>}
        <ButtonLink href="/console/start" kind="quiet">
          {t("start.all")}
        </ButtonLink>
      </div>
    </Panel>
  );
}

const isSelling = (steps: readonly { name: string; isDone: boolean }[]) =>
  steps.some(({ name, isDone }) => name === "sale" && isDone);
