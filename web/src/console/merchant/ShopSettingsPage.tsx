// The shop settings: who sells, how the shop looks, and its legal texts.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { MerchantView } from "~/api/schema";
import { Button, ErrorNote, Field, Loaded, Note, TextArea, useToast } from "~/design";
import { isLocale, LOCALES } from "~/i18n";
import { Form, PageHead, Panel } from "../parts";
import { useBegun } from "../saving/useBegun";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { draftOf, fieldOf, LEGAL_NAMES, settingsChange, type TextField } from "./draft";
import { InvoiceFields } from "./InvoiceFields";
import { LegalField } from "./LegalField";
import { LogoField } from "./LogoField";
import { CountrySelect, CurrencyField, ZoneField } from "./PlaceFields";
import { ShopPreview } from "./ShopPreview";
import "./merchant.css";

const QUERY = ["merchant"];
const readMerchant = () => api.GET("/v1/merchant");
const OUR_ACCENT = "#4a2fbd";

export default function ShopSettingsPage() {
  const { t } = useTranslation("console");
  const found = useQuery({
    queryKey: QUERY,
    queryFn: readMerchant,
    // What is being typed is not replaced.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  return (
    <>
      <PageHead title={t("merchant.title")} lead={t("merchant.lead")} />
      <Loaded of={found} height="24rem">
        {(merchant) => <SettingsForm merchant={merchant} />}
      </Loaded>
    </>
  );
}

function SettingsForm({ merchant: loaded }: { merchant: MerchantView }) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const [merchant, setMerchant] = useState(loaded);
  const { began, draft, change, beginAnew } = useBegun(loaded, () => draftOf(loaded));
  const { busy, error, save } = useSave(QUERY);
  const problem = error instanceof Problem ? error : null;
  const field = problem === null ? null : fieldOf(problem.data);
  const errorAt = (name: string) => (field === name ? (problem?.message ?? null) : null);
  const text = (name: TextField) => ({
    label: t(`merchant.${name}`),
    value: draft[name],
    error: errorAt(name),
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const show = (now: MerchantView) => {
    setMerchant(now);
    beginAnew(now, draftOf(now));
  };
  const submit = () =>
    save(
      () => api.PATCH("/v1/merchant", { body: settingsChange(began, draft, merchant) }),
      (saved) => {
        show(saved);
        tell(t("merchant.saved"));
      },
    );
  const nearest = problem?.data["nearest"];
  return (
    <Form className="merchant-form" busy={busy} onSubmit={() => void submit()}>
      {merchant.version === 0 && <Note>{t("merchant.empty")}</Note>}
      <Panel title={t("merchant.look")}>
        <ShopPreview draft={draft} logo={merchant.logo?.url ?? null} />
        <Field {...text("name")} maxLength={80} autoComplete="organization" />
        <LogoField merchant={merchant} onSaved={setMerchant} />
        <div className="merchant-accent">
          <Field
            type="color"
            label={t("merchant.accent")}
            hint={t("merchant.accent_hint")}
            error={errorAt("accent")}
            value={draft.accent ?? OUR_ACCENT}
            onChange={({ target }) => change({ accent: target.value })}
          />
          {typeof nearest === "string" && (
            <Button kind="quiet" size="small" onClick={() => change({ accent: nearest })}>
              {t("merchant.accent_nearest", { colour: nearest })}
            </Button>
          )}
          {draft.accent !== null && (
            <Button kind="bare" size="small" onClick={() => change({ accent: null })}>
              {t("merchant.accent_none")}
            </Button>
          )}
        </div>
      </Panel>
      <Panel title={t("merchant.place")}>
        <CountrySelect {...text("country")} notSaid={t("merchant.not_said")} />
        <CurrencyField {...text("currency")} hint={t("merchant.currency_hint")} />
        <ZoneField {...text("time_zone")} />
        <fieldset className="merchant-languages">
          <legend>{t("merchant.languages")}</legend>
          {Object.entries(LOCALES).map(([name, { name: shown }]) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={draft.languages.some((one) => one === name)}
                onChange={({ target }) => {
                  const others = draft.languages.filter((one) => one !== name);
                  if (!isLocale(name)) return;
                  change({ languages: target.checked ? [...others, name] : others });
                }}
              />
              <span lang={name}>{shown}</span>
            </label>
          ))}
          <span className="field-hint">{t("merchant.languages_hint")}</span>
        </fieldset>
      </Panel>
      <Panel title={t("merchant.reach")} lead={t("merchant.reach_lead")}>
        <Field {...text("email")} type="email" maxLength={254} dir="ltr" />
        <Field {...text("phone")} type="tel" maxLength={40} dir="ltr" />
        <TextArea {...text("address")} dir="auto" rows={4} maxLength={300} />
      </Panel>
      <InvoiceFields text={text} />
      <Panel title={t("merchant.legal")} lead={t("merchant.legal_lead")}>
        {LEGAL_NAMES.map((name) => (
          <LegalField
            key={name}
            name={name}
            value={draft[name]}
            languages={draft.languages}
            error={errorAt(name)}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </Panel>
      {error !== null && <ErrorNote error={error} />}
      {problem?.code === "version_mismatch" && (
        <Note tone="warn">
          <p>{t("merchant.changed")}</p>
          <Button kind="quiet" size="small" onClick={() => void save(readMerchant, show)}>
            {t("merchant.reload")}
          </Button>
        </Note>
      )}
      <div className="merchant-save">
        <Button type="submit" kind="primary" busy={busy}>
          {t("merchant.save")}
        </Button>
        <a href="/" target="_blank" rel="noreferrer">
          {t("merchant.open")}
        </a>
      </div>
    </Form>
  );
}
