// The form of a team, new or known, in panels.
import { useTranslation } from "react-i18next";
import { Form, FormEnd, Panel } from "../parts";
import { type DraftForm, useDraft } from "../saving/useDraft";
import { TermsFields } from "../programme/TermsFields";
import { HoursFields, SpecialFields } from "./HoursFields";
import { ProviderFields } from "./ProviderFields";
import { RuleFields, WordFields } from "./RuleFields";
import { ServiceFields } from "./ServiceFields";
import { AboutFields } from "./TeamFields";
import { costsNothing, type TeamDraft, teamFaults } from "./teamDraft";

type Props = DraftForm<TeamDraft> & { isNew: boolean };

export function TeamForm({ isNew, begin, edition, busy, refused, onChange, onSubmit }: Props) {
  const { t } = useTranslation("appointments");
  const { draft, faults, change, attempt } = useDraft(begin, teamFaults, {
    edition,
    busy,
    onChange,
  });
  const fields = { draft, faults, isNew, onChange: change };
  return (
    <Form className="programme-page-form" busy={busy} onSubmit={() => attempt() && onSubmit(draft)}>
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
        <FormEnd
          verb={t(isNew ? "team.make" : "save")}
          busy={busy}
          fault={faults.length > 0 && t("faults")}
          refused={refused}
        />
      </Panel>
    </Form>
  );
}
