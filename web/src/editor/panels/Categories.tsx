// The categories of a room: name, price, colour and rank, how many places each has, and a word where
// a colour can hardly be seen.
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { money, number } from "~/i18n/format";
import { useEditor } from "../context";
import {
  addCategory,
  changeCategory,
  countByCategory,
  removeCategory,
} from "../document/categories";
import { isFaint } from "../document/problems";
import { ToolIcon } from "../Icon";
import { NumberInput, TextInput } from "./fields";

export function Categories() {
  const { t } = useTranslation("editor");
  const { plan, change, state } = useEditor();
  const categories = plan.categories ?? [];
  const counts = countByCategory(plan);
  const currency = state.source?.currency ?? null;
  return (
    <div className="editor-categories">
      {categories.length === 0 && <p className="editor-text">{t("category.empty")}</p>}
      <ul role="list">
        {categories.map((category, at) => {
          const put = (field: string, changes: Parameters<typeof changeCategory>[2]) =>
            change(
              "categories.change",
              (doc) => changeCategory(doc, at, changes),
              `category:${at} ${field}`,
            );
          const priced =
            currency !== null && typeof category.price === "number"
              ? money(category.price, currency)
              : undefined;
          return (
            <li key={at} className="editor-category">
              <input
                type="color"
                className="editor-swatch"
                aria-label={t("category.colour", { name: category.name })}
                value={category.color ?? "#888888"}
                onChange={(event) => put("color", { color: event.target.value })}
              />
              <TextInput
                label={t("field.name")}
                value={category.name}
                onChange={(name) => put("name", { name })}
              />
              <NumberInput
                label={t("category.price")}
                value={category.price ?? null}
                placeholder={t("category.usual_price")}
                isWhole
                min={0}
                max={1_000_000_000_000}
                step={50}
                {...(priced !== undefined && { hint: priced })}
                onEmpty={() => put("price", { price: undefined })}
                onChange={(price) => put("price", { price })}
              />
              <NumberInput
                label={t("category.rank")}
                value={category.rank ?? 1}
                isWhole
                min={1}
                max={1000}
                onChange={(rank) => put("rank", { rank: rank === 1 ? undefined : rank })}
              />
              <span className="editor-count tabular">
                {t("category.places", {
                  count: counts.get(category.name) ?? 0,
                  shown: number(counts.get(category.name) ?? 0),
                })}
              </span>
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
          );
        })}
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
