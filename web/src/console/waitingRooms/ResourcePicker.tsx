// Chooses what is behind a waiting room or on a waitlist, by the search that the list of shows has.
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon, Loaded } from "~/design";
import { SearchField, ShowTime } from "../parts";
import { api } from "../session";
import { RESOURCES_MAX, type PickedResource } from "./roomDraft";
import "./waitingRooms.css";

const FOUND_MAX = 12;

type PickerProps = {
  legend: string;
  picked: readonly PickedResource[];
  error: string | null;
  onChange: (picked: readonly PickedResource[]) => void;
};

export function ResourcePicker({ legend, picked, error, onChange }: PickerProps) {
  const { t } = useTranslation("waiting_rooms");
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search);
  const found = useQuery({
    queryKey: ["waiting-resources", q],
    queryFn: () =>
      api.GET("/v1/overview/resources", { query: { q, sort: "starts_at", limit: FOUND_MAX } }),
    placeholderData: (before) => before,
  });
  const isPicked = (id: string) => picked.some((one) => one.id === id);
  const drop = (id: string) => onChange(picked.filter((one) => one.id !== id));
  return (
    <fieldset className="programme-fieldset">
      <legend>{legend}</legend>
      {picked.length > 0 && (
        <ul role="list" className="waiting-picked" aria-label={t("form.picked")}>
          {picked.map((one) => (
            <li key={one.id}>
              <button type="button" className="console-chip" onClick={() => drop(one.id)}>
                <bdi>{one.name}</bdi> <Icon name="close" size={14} />
                <span className="visually-hidden">{t("form.take_out")}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <SearchField label={t("form.search")} value={search} onChange={setSearch} />
      <Loaded of={found} height="8rem">
        {({ items }) => (
          <div className="console-ticks waiting-found">
            {items.map((show) => (
              <label key={show.id} data-chosen={isPicked(show.id) || undefined}>
                <input
                  type="checkbox"
                  checked={isPicked(show.id)}
                  disabled={!isPicked(show.id) && picked.length >= RESOURCES_MAX}
                  onChange={({ target }) =>
                    target.checked
                      ? onChange([...picked, { id: show.id, name: show.name }])
                      : drop(show.id)
                  }
                />
                <span>
                  <bdi>{show.name}</bdi> <ShowTime of={show} />
                </span>
              </label>
            ))}
            {items.length === 0 && <p className="console-quiet">{t("form.nothing_found")}</p>}
          </div>
        )}
      </Loaded>
      {error !== null && (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
