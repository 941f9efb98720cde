// Within which bounds prices are suggested, and how they are applied.
import { useTranslation } from "react-i18next";
import type { SuggestedPrices } from "~/api/schema";
import { Field, Select, useToast } from "~/design";
import { Form, FormEnd, Panel } from "../parts";
import { changed } from "../saving/changes";
import { Refused } from "../programme/Refused";
import { useChange } from "../saving/useChange";
import { type DraftForm, useDraft } from "../saving/useDraft";
import { api } from "../session";
import { STAYS } from "./calls";
import {
  type PriceRuleDraft,
  priceRuleDraft,
  priceRuleFaults,
  priceRuleOf,
  type RuleChange,
  type Ruled,
  ruleOwn,
  wholeRule,
} from "./priceRules";

type Props = { found: SuggestedPrices; usual: number };

export function PriceRuleForm({ found, usual }: Props) {
  const { t } = useTranslation("stays");
  const { currency, rule, listing_id: listing } = found;
  const tell = useToast();
  const path = { listing_id: listing };
  const { began, edition, busy, error, ...form } = useChange<Ruled, PriceRuleDraft, RuleChange>(
    { rule },
    {
      stale: STAYS,
      key: [...STAYS, "price-rule", listing],
      // Of one night: the rule alone is looked at.
      read: () =>
        api.GET("/v1/listings/{listing_id}/suggested-prices", { path, query: { days: 1 } }),
      send: async (change, now) => ({
        rule: await api.PUT("/v1/listings/{listing_id}/suggested-prices/rule", {
          path,
          body: wholeRule(change, now),
        }),
      }),
      own: ruleOwn,
      changeOf: (from, draft) => changed(ruleOwn(from), priceRuleOf(draft, currency)),
    },
  );
  return (
    <RuleFields
      begin={priceRuleDraft(began.rule, usual, currency)}
      {...{ currency, edition, busy }}
      refused={<Refused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(draft) => void form.change(draft, () => tell(t("saved")))}
    />
  );
}

type FieldsProps = DraftForm<PriceRuleDraft> & { currency: string };

function RuleFields({ begin, currency, edition, busy, refused, onSubmit }: FieldsProps) {
  const { t } = useTranslation("stays");
  const faultsOf = (of: PriceRuleDraft) => priceRuleFaults(of, currency);
  const { draft, faults, change, attempt } = useDraft(begin, faultsOf, { edition, busy });
  const text = (name: Exclude<keyof PriceRuleDraft, "applied">) => (
    <Field
      label={t(`prices.rule.${name}`, { currency })}
      hint={t(`prices.hint.${name}`)}
      error={faults.includes(name) && t(`prices.wrong.${name}`)}
      inputMode="decimal"
      value={draft[name]}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  );
  return (
    <Form busy={busy} onSubmit={() => attempt() && onSubmit(draft)}>
      <Panel title={t("prices.rule.title")} lead={t("prices.rule.lead")}>
        <div className="stays-rule-fields">
          {text("least")}
          {text("most")}
          {text("step")}
          {text("multiple")}
          {text("days")}
          <Select
            label={t("prices.rule.applied")}
            hint={t(`prices.hint.${draft.applied}`)}
            value={draft.applied}
            onChange={({ target }) =>
              change({ applied: target.value === "by_rule" ? "by_rule" : "by_hand" })
            }
          >
            <option value="by_hand">{t("prices.rule.by_hand")}</option>
            <option value="by_rule">{t("prices.rule.by_rule")}</option>
          </Select>
        </div>
        <FormEnd verb={t("save")} busy={busy} refused={refused} />
      </Panel>
    </Form>
  );
}
