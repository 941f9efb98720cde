// What one books, as lines: how long it takes, what it costs, and who gives it.
import { useTranslation } from "react-i18next";
import { Button, Field, TextArea } from "~/design";
import { giversOf, newService, type ServiceDraft, SERVICES_MAX } from "./services";
import { type TeamFieldsProps, useText } from "./TeamFields";

export function ServiceFields(props: TeamFieldsProps) {
  const { draft, faults, isNew, onChange } = props;
  const { t } = useTranslation("appointments");
  const text = useText(props);
  const { services } = draft;
  const put = (key: string, part: Partial<ServiceDraft>) =>
    onChange({ services: services.map((one) => (one.key === key ? { ...one, ...part } : one)) });
  return (
    <>
      {isNew && (
        <div className="programme-pair">
          <Field {...text("currency")} hint={t("team.currency_hint")} maxLength={3} dir="ltr" />
        </div>
      )}
      {services.map((service, at) => (
        <ServiceLine
          key={service.key}
          service={service}
          number={at + 1}
          name={`services.${at}`}
          faults={faults}
          draft={draft}
          onChange={(part) => put(service.key, part)}
          onRemove={
            services.length > 1
              ? () => onChange({ services: services.filter((one) => one !== service) })
              : null
          }
        />
      ))}
      {services.length < SERVICES_MAX && (
        <div className="console-actions">
          <Button
            kind="quiet"
            size="small"
            onClick={() => onChange({ services: [...services, newService(services)] })}
          >
            {t("services.add")}
          </Button>
        </div>
      )}
    </>
  );
}

type LineProps = Pick<TeamFieldsProps, "draft" | "faults"> & {
  service: ServiceDraft;
  number: number;
  name: string;
  onChange: (part: Partial<ServiceDraft>) => void;
  /** Null for the only one. */
  onRemove: (() => void) | null;
};

const NUMBERS = ["minutes", "price", "before", "after", "step"] as const;

function ServiceLine(props: LineProps) {
  const { draft, service, number, name, faults, onChange, onRemove } = props;
  const { t } = useTranslation("appointments");
  const currency = draft.currency.trim().toUpperCase();
  const wrong = (["name", "twice"] as const).find((one) => faults.includes(`${name}.${one}`));
  const labelOf = (field: (typeof NUMBERS)[number]) =>
    t(field === "price" && currency === "" ? "services.price_any" : `services.${field}`, {
      currency,
    });
  return (
    <div className="appointments-line" role="group" aria-label={t("services.one", { number })}>
      <Field
        label={t("services.name")}
        hint={t("services.name_hint")}
        value={service.name}
        maxLength={100}
        dir="auto"
        error={wrong === undefined ? null : t(`services.wrong.${wrong}`)}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextArea
        label={t("services.description")}
        value={service.description}
        rows={2}
        maxLength={2000}
        dir="auto"
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <div className="appointments-numbers">
        {NUMBERS.map((field) => (
          <Field
            key={field}
            label={labelOf(field)}
            value={service[field]}
            inputMode={field === "price" ? "decimal" : "numeric"}
            dir="ltr"
            maxLength={field === "price" ? 16 : 4}
            placeholder={
              field === "step"
                ? draft.step
                : field === "before" || field === "after"
                  ? "0"
                  : undefined
            }
            error={faults.includes(`${name}.${field}`) ? t(`services.wrong.${field}`) : null}
            onChange={({ target }) => onChange({ [field]: target.value })}
          />
        ))}
      </div>
      <Givers {...props} />
      {onRemove !== null && (
        <div className="console-actions">
          <Button kind="bare" size="small" onClick={onRemove}>
            {t("services.remove", { number })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Everybody, also who comes later; or those who are ticked. */
function Givers({ draft, service, name, faults, onChange }: LineProps) {
  const { t } = useTranslation("appointments");
  const { providers } = draft;
  const now = giversOf(service, providers).map(({ key }) => key);
  const named = providers.filter((one) => one.name.trim() !== "");
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("services.givers")}</legend>
      <div className="appointments-ticks">
        <label className="console-tick">
          <input
            type="checkbox"
            checked={service.givers === null}
            onChange={({ target }) => onChange({ givers: target.checked ? null : now })}
          />
          {t("services.everybody")}
        </label>
        {service.givers !== null &&
          named.map(({ key, name: provider, title }) => (
            <label key={key} className="console-tick">
              <input
                type="checkbox"
                checked={now.includes(key)}
                onChange={({ target }) =>
                  onChange({
                    givers: target.checked ? [...now, key] : now.filter((one) => one !== key),
                  })
                }
              />
              <bdi>{title.trim() || provider}</bdi>
            </label>
          ))}
      </div>
      {faults.includes(`${name}.givers`) && (
        <p className="field-error" role="alert">
          {t("services.wrong.givers")}
        </p>
      )}
    </fieldset>
  );
}
