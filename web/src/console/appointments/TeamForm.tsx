// The form of a team, new or known, in panels.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { Button, Note } from "~/design";
import { Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { TermsFields } from "../programme/TermsFields";
import { HoursFields, SpecialFields } from "./HoursFields";
import { ProviderFields } from "./ProviderFields";
import { RuleFields, WordFields } from "./RuleFields";
import { ServiceFields } from "./ServiceFields";
import { AboutFields } from "./TeamFields";
import { costsNothing, type TeamDraft, teamFaults } from "./teamDraft";

type Props = {
  begin: TeamDraft;
  isNew: boolean;
  busy: boolean;
  error: unknown;
  onChange: () => void;
  /** Lets go of what was typed, for what others have saved. */
  onAnew?: () => void;
  onSubmit: (draft: TeamDraft) => void;
};

export function TeamForm({ begin, isNew, busy, error, onChange, onAnew, onSubmit }: Props) {
  const { t } = useTranslation("appointments");
  const [draft, setDraft] = useState(begin);
  const [isTried, setTried] = useState(false);
  const all = teamFaults(draft);
  const faults = isTried ? all : [];
  const change = (part: Partial<TeamDraft>) => {
    onChange();
    setDraft((before) => ({ ...before, ...part }));
  };
  const fields = { draft, faults, isNew, onChange: change };
  return (
    <form
      className="programme-page-form"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        setTried(true);
        if (!busy && all.length === 0) onSubmit(draft);
      }}
    >
      <Panel title={t("team.about")}>
        <AboutFields {...fields} />
      </Panel>
      <Panel title={t("hours.title")} lead={t("hours.lead")}>
        <HoursFields
          week={draft.week}
          name="week"
          faults={faults}
          onChange={(week) => change({ week })}
        />
        <SpecialFields
          days={draft.days}
          name="days"
          faults={faults}
          holidays={draft.holidays}
          onChange={(days) => change({ days })}
          onHolidays={(holidays) => change({ holidays })}
        />
      </Panel>
      <Panel title={t("providers.title")} lead={t("providers.lead")}>
        <ProviderFields {...fields} />
      </Panel>
      <Panel title={t("services.title")} lead={t("services.lead")}>
        <ServiceFields {...fields} />
      </Panel>
      <Panel title={t("booking.title")} lead={t("booking.lead")}>
        <RuleFields {...fields} />
        <TermsFields
          draft={draft.terms}
          currency={draft.currency}
          isFree={costsNothing(draft)}
          faults={faults}
          onChange={(terms) => change({ terms })}
        />
      </Panel>
      <Panel title={t("saving.title")}>
        <WordFields {...fields} />
        {faults.length > 0 && (
          <p className="field-error" role="alert">
            {t("faults")}
          </p>
        )}
        <NotSaved error={error} onAnew={onAnew} />
        <div className="console-actions">
          <Button type="submit" busy={busy}>
            {t(isNew ? "team.make" : "save")}
          </Button>
        </div>
      </Panel>
    </form>
  );
}

type NotSavedProps = { error: unknown; onAnew: (() => void) | undefined };

/** Why it was not saved: others changed the same, or somebody has booked what it would take away; and what
 * one can do then. */
function NotSaved({ error, onAnew }: NotSavedProps) {
  const { t } = useTranslation("appointments");
  const code = error instanceof Problem ? error.code : "";
  if (code === "version_mismatch" && onAnew !== undefined)
    return (
      <div role="alert">
        <Note
          tone="bad"
          actions={
            <Button kind="quiet" size="small" onClick={onAnew}>
              {t("refused.anew")}
            </Button>
          }
        >
          {t("refused.version_mismatch")}
        </Note>
      </div>
    );
  if (!(error instanceof Problem) || code !== "resource_in_use") return <Refused error={error} />;
  return (
    <div role="alert">
      <Note tone="bad">
        <p>{t("refused.resource_in_use")}</p>
        <p>{t("refused.detail", { detail: error.message })}</p>
      </Note>
    </div>
  );
}
