// The search of events, with suggestions while one types: a combobox by the ARIA pattern.
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Production } from "~/api/schema";
import { Icon } from "~/design";
import { dateTime } from "~/i18n/format";
import { useSuggestions } from "./catalog";
import { TEXT_MAX } from "./filters";
import { Picture } from "./Picture";

const PAUSE_MS = 250;
const LETTERS_MIN = 2;

type SearchProps = { value: string; onSearch: (text: string) => void };

export function SearchBox({ value, onSearch }: SearchProps) {
  const { t } = useTranslation("shop_events");
  const [, navigate] = useLocation();
  const id = useId();
  const [typed, setTyped] = useTyped(value);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const asked = usePaused(typed.trim());
  const found = useSuggestions(asked.length < LETTERS_MIN || !isOpen ? "" : asked);
  const items = isOpen && typed.trim().length >= LETTERS_MIN ? (found.data ?? []) : [];
  const isShown = items.length > 0;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const search = () => {
    close();
    onSearch(typed.trim());
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isShown) {
      event.preventDefault();
      return close();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      const chosen = items[active];
      return chosen === undefined ? search() : navigate(`/events/${chosen.id}`);
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !isShown) return;
    event.preventDefault();
    // Above the first one is the field itself.
    setActive((before) => ((before + 1 + step + items.length + 1) % (items.length + 1)) - 1);
  };
  return (
    <div className="events-search">
      <Icon name="search" size={18} />
      <label htmlFor={id} className="visually-hidden">
        {t("search")}
      </label>
      <input
        id={id}
        type="search"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 && isShown ? `${id}-${active}` : undefined}
        autoComplete="off"
        enterKeyHint="search"
        placeholder={t("search")}
        value={typed}
        maxLength={TEXT_MAX}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
          setActive(-1);
          if (event.target.value === "" && value !== "") onSearch("");
        }}
        onKeyDown={press}
        onBlur={close}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("suggestions")}
        className="events-suggestions"
        hidden={!isShown}
      >
        {items.map((event, index) => (
          <div
            key={event.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onKeyDown={press}
            // Before the field loses the focus, with which the list would close.
            onPointerDown={(pointer) => pointer.preventDefault()}
            onClick={() => navigate(`/events/${event.id}`)}
          >
            <Suggestion event={event} />
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {isShown ? t("suggested", { count: items.length }) : ""}
      </p>
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

/** What is typed; the address wins, when it changes. */
function useTyped(value: string): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const before = useRef(value);
  useEffect(() => {
    if (value === before.current) return;
    before.current = value;
    setTyped(value);
  }, [value]);
  return [typed, setTyped];
}

/** A text once it stays as it is for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
