// The categories of a room: name, price, colour and rank, how many places each has, and a word where
// a colour can hardly be seen.
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { money } from "~/i18n/format";
import type { Category } from "~/seatmap/plan";
import { useEditor } from "../context";
import {
  addCategory,
  changeCategory,
  countByCategory,
  removeCategory,
} from "../document/categories";
import type { Changes } from "../document/edit";
import { isFaint } from "../document/problems";
import { ToolIcon } from "../Icon";
import { NumberInput, TextInput } from "./fields";

export function Categories() {
  const { t, plan, change } = useEditor();
  const categories = plan.categories ?? [];
  const counts = countByCategory(plan);
  return (
    <div className="editor-categories">
      {categories.length === 0 && <p className="editor-text">{t("category.empty")}</p>}
      <ul role="list">
        {categories.map((category, at) => (
          <li key={at} className="editor-category">
            <Fields category={category} at={at} />
            <Places count={counts.get(category.name) ?? 0} />
            <button
              type="button"
              className="editor-tool"
              aria-label={t("category.remove", { name: category.name })}
              onClick={() => change("categories.remove", (doc) => removeCategory(doc, at))}
            >
              <ToolIcon name="remove" size={18} />
            </button>
            {isFaint(category) && (
              <p className="editor-warning">
                {t("problem.faint_colour", { category: category.name })}
              </p>
            )}
          </li>
        ))}
      </ul>
      <Button
        kind="quiet"
        size="small"
        onClick={() => change("categories.add", (doc) => addCategory(doc, t("category.new")))}
      >
        <ToolIcon name="plus" size={18} />
        {t("category.add")}
      </Button>
    </div>
  );
}

function Places({ count }: { count: number }) {
  const { t } = useTranslation("editor");
  const words = t("category.places", { count });
  return <span className="editor-count tabular">{words}</span>;
}

function Fields({ category, at }: { category: Category; at: number }) {
  const { t, change, state } = useEditor();
  const { name, price, color, rank = 1 } = category;
  const currency = state.source?.currency;
  const put = (changes: Changes<Category>) =>
    change(
      "categories.change",
      (doc) => changeCategory(doc, at, changes),
      `category:${at} ${Object.keys(changes).join()}`,
    );
  return (
    <>
      <input
        type="color"
        className="editor-swatch"
        aria-label={t("category.colour", { name })}
        value={color ?? "#888888"}
        onChange={(event) => put({ color: event.target.value })}
      />
      <TextInput label={t("field.name")} value={name} onChange={(to) => put({ name: to })} />
      <NumberInput
        label={t("category.price")}
        value={price ?? null}
        placeholder={t("category.usual_price")}
        hint={currency && typeof price === "number" ? money(price, currency) : undefined}
        onEmpty={() => put({ price: undefined })}
        onChange={(to) => put({ price: to })}
        whole={[0, 1_000_000_000_000, 50]}
      />
      <NumberInput
        label={t("category.rank")}
        value={rank}
        onChange={(to) => put({ rank: to === 1 ? undefined : to })}
        whole={[1, 1000]}
      />
    </>
  );
}
