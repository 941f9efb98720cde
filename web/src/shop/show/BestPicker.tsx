// The best-seat picker: quantity, category, together, accessible. The server chooses and holds.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Select } from "~/design";
import { money } from "~/i18n/format";
import type { BestRequest } from "./lines";
import type { PricedCategory } from "~/seatmap/categories";
import { Stepper } from "../Stepper";
import { useNamed } from "../vocabulary";

type BestPickerProps = {
  categories: readonly PricedCategory[];
  currency: string;
  max: number;
  hasAccessible: boolean;
  busy: boolean;
  disabled: boolean;
  onTake: (wish: BestRequest) => void;
  onPreview: (wish: BestRequest) => void;
};

export function BestPicker(props: BestPickerProps) {
  const { t } = useTranslation("shop");
  const named = useNamed();
  const [wish, setWish] = useState<BestRequest>({
    quantity: Math.min(2, props.max),
    category: null,
    accessible: false,
    together: true,
  });
  const change = (part: Partial<BestRequest>) => {
    const next = { ...wish, ...part };
    setWish(next);
    props.onPreview(next);
  };
  return (
    <form
      className="card show-best"
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.busy) props.onTake(wish);
      }}
    >
      <h2>{t("best.title")}</h2>
      <div className="show-best-fields">
        <Stepper
          label={t("best.how_many")}
          value={wish.quantity}
          max={props.max}
          onChange={(quantity) => change({ quantity })}
        />
        {props.categories.length > 1 && (
          <Select
            label={t("best.where")}
            value={wish.category ?? ""}
            onChange={(event) => change({ category: event.target.value || null })}
          >
            <option value="">{t("best.anywhere")}</option>
            {props.categories.map((category) => (
              <option key={category.name} value={category.name}>
                {named(category.name)}
                {category.price === null ? "" : ` · ${money(category.price, props.currency)}`}
              </option>
            ))}
          </Select>
        )}
      </div>
      <div className="show-best-checks">
        <label className="shop-check">
          <input
            type="checkbox"
            checked={wish.together}
            onChange={(event) => change({ together: event.target.checked })}
          />
          {t("best.together")}
        </label>
        {props.hasAccessible && (
          <label className="shop-check">
            <input
              type="checkbox"
              checked={wish.accessible}
              onChange={(event) => change({ accessible: event.target.checked })}
            />
            {t("best.accessible")}
          </label>
        )}
      </div>
      <Button kind="quiet" type="submit" busy={props.busy} disabled={props.disabled}>
        {t("best.take", { count: wish.quantity })}
      </Button>
    </form>
  );
}
