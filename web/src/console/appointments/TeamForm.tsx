// The form of a team, new or known, in panels.
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { Button, Note } from "~/design";
import { Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { useDraft } from "../saving/useDraft";
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
  /** How often a known one began: with another number, it begins anew. */
  edition?: number;
  onChange?: () => void;
  /** Lets go of what was typed, for what others have saved. */
  onAnew?: () => void;
  onSubmit: (draft: TeamDraft) => void;
};

export function TeamForm(props: Props) {
  const { begin, isNew, busy, error, edition, onChange, onAnew, onSubmit } = props;
  const { t } = useTranslation("appointments");
  const { draft, faults, change: put, attempt } = useDraft(begin, teamFaults, edition);
  const change = (part: Partial<TeamDraft>) => {
    onChange?.();
    put(part);
  };
  const fields = { draft, faults, isNew, onChange: change };
  return (
    <form
      className="programme-page-form"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (attempt() && !busy) onSubmit(draft);
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
  if (!(error instanceof Problem) || error.code !== "resource_in_use")
    return <Refused error={error} onAnew={onAnew} />;
  return (
    <div role="alert">
      <Note tone="bad">
        <p>{t("refused.resource_in_use")}</p>
        <p>{t("refused.detail", { detail: error.message })}</p>
      </Note>
    </div>
  );
}
