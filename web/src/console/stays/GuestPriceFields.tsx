// For how many guests a price is, what each further one costs, and what children cost of that.
import { useTranslation } from "react-i18next";
import { Button, Field } from "~/design";
import { type ChildDraft, type GuestsDraft, NEW_CHILD } from "./rates";

type Props = {
  draft: GuestsDraft;
  currency: string;
  faults: readonly string[];
  onChange: (draft: GuestsDraft) => void;
};

const BANDS_MAX = 18;

export function GuestPriceFields({ draft, currency, faults, onChange }: Props) {
  const { t } = useTranslation("stays");
  const { children } = draft;
  const wrong = (name: string, what: string) =>
    faults.includes(`guestPrices.${name}`) ? t(`guest_prices.wrong.${what}`) : null;
  const put = (at: number, part: Partial<ChildDraft>) =>
    onChange({
      ...draft,
      children: children.map((one, place) => (place === at ? { ...one, ...part } : one)),
    });
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("guest_prices.title")}</legend>
      <div className="programme-pair">
        {(["included", "price"] as const).map((name) => (
          <Field
            key={name}
            label={t(`guest_prices.${name}`, { currency })}
            value={draft[name]}
            error={wrong(name, name)}
            inputMode={name === "price" ? "decimal" : "numeric"}
            maxLength={16}
            dir="ltr"
            onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
          />
        ))}
      </div>
      {children.map((child, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div
          key={at}
          className="programme-line"
          role="group"
          aria-label={t("guest_prices.child", { number: at + 1 })}
        >
          {(["under", "share"] as const).map((name) => (
            <Field
              key={name}
              label={t(`guest_prices.${name}`)}
              value={child[name]}
              error={wrong(`children.${at}.${name}`, name)}
              inputMode={name === "share" ? "decimal" : "numeric"}
              maxLength={6}
              dir="ltr"
              onChange={({ target }) => put(at, { [name]: target.value })}
            />
          ))}
          <Button
            kind="bare"
            size="small"
            onClick={() =>
              onChange({ ...draft, children: children.filter((_, place) => place !== at) })
            }
          >
            {t("guest_prices.remove", { number: at + 1 })}
          </Button>
        </div>
      ))}
      {children.length < BANDS_MAX && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => onChange({ ...draft, children: [...children, NEW_CHILD] })}
        >
          {t("guest_prices.add")}
        </Button>
      )}
    </fieldset>
  );
}
