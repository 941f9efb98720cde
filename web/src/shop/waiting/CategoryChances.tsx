// What is left by category, and how likely it is that something of it is left at one's turn.
import { useTranslation } from "react-i18next";
import type { CategoryNow, WaitingRoomNow } from "~/api/schema";
import { number } from "~/i18n/format";
import { useNamed, VocabularyOf } from "../vocabulary";
import { byResource, chanceOf } from "./chances";
import { useSold } from "./SoldHere";
import type { Standing } from "./standing";

type ChancesProps = {
  room: WaitingRoomNow;
  standing: Standing | null;
  /** The queue in which one stands, by its name. */
  queue: string | null;
};

export function CategoryChances({ room, standing, queue }: ChancesProps) {
  const { t } = useTranslation("shop_waiting");
  const sold = useSold(room);
  if (room.categories.length === 0 || room.phase === "before" || sold.length === 0) return null;
  const groups = byResource(room.categories);
  const hasTurn = standing?.turn === "called" || standing?.turn === "lost";
  const ahead = hasTurn ? null : (standing?.ahead ?? null);
  const place = { queue: room.queues.findIndex(({ name }) => name === queue), ahead };
  return (
    <section className="waiting-stack" aria-labelledby="waiting-categories">
      <h2 id="waiting-categories">
        {t(ahead === null ? "categories.title" : "categories.title_chance")}
      </h2>
      {sold.map((one) => {
        const categories = groups.get(one.id);
        return (
          categories !== undefined && (
            <VocabularyOf key={one.id} of={one}>
              <CategoryTable
                {...{ categories, place }}
                steps={room.chance_steps}
                name={one.name}
                isAlone={sold.length === 1}
              />
            </VocabularyOf>
          )
        );
      })}
      {ahead !== null && <p className="shop-quiet">{t("categories.note")}</p>}
    </section>
  );
}

type TableProps = {
  categories: readonly CategoryNow[];
  steps: WaitingRoomNow["chance_steps"];
  place: { readonly queue: number; readonly ahead: number | null };
  name: string;
  /** Whether the page speaks of one resource only, whose name stands above. */
  isAlone: boolean;
};

function CategoryTable({ categories, steps, place, name, isAlone }: TableProps) {
  const { t } = useTranslation("shop_waiting");
  const named = useNamed();
  const hasPlace = place.ahead !== null;
  return (
    <table className="table waiting-categories">
      <caption className={isAlone ? "visually-hidden" : undefined}>
        <bdi>{name}</bdi>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t("categories.category")}</th>
          <th scope="col">{t("categories.left")}</th>
          {hasPlace && <th scope="col">{t("categories.chance")}</th>}
        </tr>
      </thead>
      <tbody>
        {categories.map((one) => {
          const chance = chanceOf(one, steps, place.queue, place.ahead);
          return (
            <tr key={one.category}>
              <th scope="row">
                <bdi>{named(one.category)}</bdi>
              </th>
              <td className="tabular">
                {t("categories.left_of", {
                  left: number(one.units_left),
                  units: number(one.units),
                })}
              </td>
              {hasPlace && <td data-chance={chance}>{t(`categories.chances.${chance}`)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
