// The fields of a change of many nights: which they are, and what they are to be.
import { useTranslation } from "react-i18next";
import type { Listing } from "~/api/schema";
import { Button, Field, Select } from "~/design";
import { RadioGroup } from "../parts";
import { isAmount, LENGTHS, type NightsDraft, PRICE_WAYS, SHUT_WAYS, SHUTS } from "./nightsDraft";
import { WeekdayTicks } from "../programme/WeekdayTicks";

type Props = {
  draft: NightsDraft;
  faults: readonly string[];
  listings: readonly Listing[];
  onChange: (part: Partial<NightsDraft>) => void;
};

export function WhichNights({ draft, faults, listings, onChange }: Props) {
  const { t } = useTranslation("stays");
  const night = (name: "from" | "last") => ({
    label: t(`rules.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`nights.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  const isAll = draft.listings.length === listings.length;
  return (
    <>
      <fieldset className="programme-fieldset">
        <legend>{t("listings.title")}</legend>
        <div className="stays-ticks stays-many">
          {listings.map(({ id, name }) => (
            <label key={id} className="console-tick">
              <input
                type="checkbox"
                checked={draft.listings.includes(id)}
                onChange={({ target }) =>
                  onChange({
                    listings: target.checked
                      ? [...draft.listings, id]
                      : draft.listings.filter((one) => one !== id),
                  })
                }
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </div>
        <Button
          kind="quiet"
          size="small"
          onClick={() => onChange({ listings: isAll ? [] : listings.map(({ id }) => id) })}
        >
          {t(isAll ? "nights.none" : "nights.all")}
        </Button>
      </fieldset>
      <div className="programme-pair">
        <Field {...night("from")} type="date" />
        <Field {...night("last")} type="date" />
      </div>
      <WeekdayTicks
        legend={t("rules.days")}
        days={draft.days}
        onChange={(days) => onChange({ days })}
      />
    </>
  );
}

export function NightsFields(props: Props) {
  const { draft, onChange } = props;
  const { t } = useTranslation("stays");
  return (
    <>
      <RadioGroup
        label={t("nights.action")}
        value={draft.action}
        onChange={(action) => onChange({ action })}
        choices={(["set", "usual"] as const).map((value) => ({
          value,
          title: t(`nights.actions.${value}`),
          text: t(`nights.actions_text.${value}`),
        }))}
      />
      {draft.action === "set" && (
        <>
          <PriceOfNights {...props} />
          <Restrictions {...props} />
        </>
      )}
    </>
  );
}

function PriceOfNights({ draft, faults, listings, onChange }: Props) {
  const { t } = useTranslation("stays");
  const { priceWay } = draft;
  const currency = listings.find(({ id }) => draft.listings.includes(id))?.price.currency ?? "";
  const unit = isAmount(priceWay) ? currency : "%";
  return (
    <div className="programme-pair">
      <Select
        label={t("nights.price")}
        value={priceWay}
        onChange={({ target }) => {
          const way = PRICE_WAYS.find((one) => one === target.value);
          if (way !== undefined) onChange({ priceWay: way });
        }}
      >
        {PRICE_WAYS.map((way) => (
          <option key={way} value={way}>
            {t(`nights.prices.${way}`)}
          </option>
        ))}
      </Select>
      {priceWay !== "leave" && (
        <Field
          label={t(`nights.price_of.${priceWay}`, { unit })}
          value={draft.price}
          error={
            faults.includes("price")
              ? t(`nights.wrong.${isAmount(priceWay) ? "amount" : "share"}`)
              : null
          }
          inputMode="decimal"
          maxLength={16}
          dir="ltr"
          onChange={({ target }) => onChange({ price: target.value })}
        />
      )}
    </div>
  );
}

function Restrictions({ draft, faults, onChange }: Props) {
  const { t } = useTranslation("stays");
  return (
    <>
      <div className="stays-rule-fields">
        {LENGTHS.map((name) => (
          <Field
            key={name}
            label={t(`nights.${name}`)}
            value={draft[name]}
            error={faults.includes(name) ? t("rules.wrong.minNights") : null}
            placeholder={t("nights.as_it_is")}
            inputMode="numeric"
            maxLength={3}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ))}
      </div>
      <div className="stays-rule-fields">
        {SHUTS.map((name) => (
          <Select
            key={name}
            label={t(`nights.${name}.label`)}
            value={draft[name]}
            onChange={({ target }) => onChange({ [name]: target.value })}
          >
            {SHUT_WAYS.map((way) => (
              <option key={way} value={way}>
                {way === "leave" ? t("nights.as_it_is") : t(`nights.${name}.${way}`)}
              </option>
            ))}
          </Select>
        ))}
      </div>
    </>
  );
}
