// Within which bounds prices are suggested, and how they are applied.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SuggestedPrices } from "~/api/schema";
import { Button, Field, Select, useToast } from "~/design";
import { Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { STAYS } from "./calls";
import { type PriceRuleDraft, priceRuleDraft, priceRuleFaults, priceRuleOf } from "./priceRules";

type Props = { found: SuggestedPrices; usual: number };

export function PriceRuleForm({ found, usual }: Props) {
  const { t } = useTranslation("stays");
  const { currency, rule, listing_id: listing } = found;
  const tell = useToast();
  const { busy, error, save } = useSave(STAYS);
  const [draft, setDraft] = useState(() => priceRuleDraft(rule, usual, currency));
  const [isTried, setTried] = useState(false);
  const all = priceRuleFaults(draft, currency);
  const faults = isTried ? all : [];
  const text = (name: Exclude<keyof PriceRuleDraft, "applied">) => (
    <Field
      label={t(`prices.rule.${name}`, { currency })}
      hint={t(`prices.hint.${name}`)}
      error={faults.includes(name) && t(`prices.wrong.${name}`)}
      inputMode="decimal"
      value={draft[name]}
      onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
    />
  );
  return (
    <form
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        setTried(true);
        if (busy || all.length > 0) return;
        void save(
          () =>
            api.PUT("/v1/listings/{listing_id}/suggested-prices/rule", {
              path: { listing_id: listing },
              body: priceRuleOf(draft, currency),
            }),
          () => tell(t("saved")),
        );
      }}
    >
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
              setDraft({ ...draft, applied: target.value === "by_rule" ? "by_rule" : "by_hand" })
            }
          >
            <option value="by_hand">{t("prices.rule.by_hand")}</option>
            <option value="by_rule">{t("prices.rule.by_rule")}</option>
          </Select>
        </div>
        <Refused error={error} />
        <div className="console-actions">
          <Button type="submit" busy={busy}>
            {t("save")}
          </Button>
        </div>
      </Panel>
    </form>
  );
}
