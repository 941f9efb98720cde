// Who or what gives the appointments, as lines: each by its name, with hours of its own if it has any.
import { useTranslation } from "react-i18next";
import { Button, Field, Note } from "~/design";
import { HoursFields, SpecialFields } from "./HoursFields";
import { hasLeft, leaving, newProvider, type ProviderDraft, PROVIDERS_MAX } from "./providers";
import type { TeamFieldsProps } from "./TeamFields";

export function ProviderFields({ draft, faults, isNew, onChange }: TeamFieldsProps) {
  const { t } = useTranslation("appointments");
  const { providers } = draft;
  const put = (key: string, part: Partial<ProviderDraft>) =>
    onChange({ providers: providers.map((one) => (one.key === key ? { ...one, ...part } : one)) });
  return (
    <>
      {providers.map((provider, at) => (
        <ProviderLine
          key={provider.key}
          provider={provider}
          number={at + 1}
          name={`providers.${at}`}
          faults={faults}
          isNew={isNew}
          draft={draft}
          onChange={(part) => put(provider.key, part)}
          onRemove={
            providers.length > 1
              ? () => onChange({ providers: providers.filter((one) => one !== provider) })
              : null
          }
        />
      ))}
      {providers.length < PROVIDERS_MAX && (
        <div className="console-actions">
          <Button
            kind="quiet"
            size="small"
            onClick={() => onChange({ providers: [...providers, newProvider(providers)] })}
          >
            {t("providers.add")}
          </Button>
        </div>
      )}
    </>
  );
}

type LineProps = Pick<TeamFieldsProps, "draft" | "faults" | "isNew"> & {
  provider: ProviderDraft;
  number: number;
  name: string;
  onChange: (part: Partial<ProviderDraft>) => void;
  /** Null for the only one. */
  onRemove: (() => void) | null;
};

function ProviderLine(props: LineProps) {
  const { draft, provider, number, name, faults, isNew, onChange, onRemove } = props;
  const { t } = useTranslation("appointments");
  const wrong = (["name", "twice"] as const).find((one) => faults.includes(`${name}.${one}`));
  return (
    <div className="appointments-line" role="group" aria-label={t("providers.one", { number })}>
      <div className="programme-pair">
        <Field
          label={t("providers.name")}
          hint={t("providers.name_hint")}
          value={provider.name}
          maxLength={100}
          dir="auto"
          error={wrong === undefined ? null : t(`providers.wrong.${wrong}`)}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <Field
          label={t("providers.title_field")}
          hint={t("providers.title_hint")}
          value={provider.title}
          maxLength={100}
          dir="auto"
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </div>
      <label className="console-tick">
        <input
          type="checkbox"
          checked={provider.week !== null}
          onChange={({ target }) => onChange({ week: target.checked ? draft.week : null })}
        />
        {t("providers.own_hours")}
      </label>
      {provider.week !== null && (
        <HoursFields
          week={provider.week}
          name={`${name}.week`}
          faults={faults}
          onChange={(week) => onChange({ week })}
        />
      )}
      {hasLeft(provider) && <Note>{t("providers.has_left")}</Note>}
      <label className="console-tick">
        <input
          type="checkbox"
          checked={provider.days !== null}
          onChange={({ target }) => onChange({ days: target.checked ? draft.days : null })}
        />
        {t("providers.own_days")}
      </label>
      {provider.days !== null && (
        <SpecialFields
          days={provider.days}
          name={`${name}.days`}
          faults={faults}
          onChange={(days) => onChange({ days })}
        />
      )}
      <div className="console-actions">
        {!isNew && !hasLeft(provider) && (
          <Button kind="bare" size="small" onClick={() => onChange(leaving(provider))}>
            {t("providers.leave", { number })}
          </Button>
        )}
        {onRemove !== null && (
          <Button kind="bare" size="small" onClick={onRemove}>
            {t("providers.remove", { number })}
          </Button>
        )}
      </div>
    </div>
  );
}
