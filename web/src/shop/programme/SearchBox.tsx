// The search of events, with suggestions while one types.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Production } from "~/api/schema";
import { dateTime } from "~/i18n/format";
import { Combobox } from "../search/Combobox";
import { useSuggestions } from "./catalog";
import { TEXT_MAX } from "./filters";
import { Picture } from "./Picture";

const LETTERS_MIN = 2;

type SearchProps = { value: string; onSearch: (text: string) => void };

export function SearchBox({ value, onSearch }: SearchProps) {
  const { t } = useTranslation("shop_events");
  const [, navigate] = useLocation();
  const [asked, ask] = useState<string | null>(null);
  const found = useSuggestions(asked ?? "");
  return (
    <div className="events-search">
      <Combobox
        icon="search"
        label={t("search")}
        value={value}
        textMax={TEXT_MAX}
        lettersMin={LETTERS_MIN}
        items={found.data ?? []}
        onAsk={ask}
        keyOf={({ id }) => id}
        show={(event) => <Suggestion event={event} />}
        listLabel={t("suggestions")}
        told={(count) => t("suggested", { count })}
        onChoose={({ id }) => navigate(`/events/${id}`)}
        onSearch={onSearch}
        onClear={() => onSearch("")}
      />
    </div>
  );
}

function Suggestion({ event }: { event: Production }) {
  const next = event.next_performance;
  return (
    <>
      <Picture title={event.title} picture={event.picture} />
      <span>
        <strong>
          <bdi>{event.title}</bdi>
        </strong>
        {next !== null && (
          <span className="shop-quiet">
            {dateTime(next.starts_at, { day: "numeric", month: "short" }, next.time_zone)}
            {" · "}
            <bdi>{next.venue.name}</bdi>
          </span>
        )}
      </span>
    </>
  );
}
