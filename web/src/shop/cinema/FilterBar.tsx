// Debounced search and filters of the film list; on phones the filters collapse.
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";
import { number } from "~/i18n/format";
import { named, type Vocabulary } from "~/seatmap/vocabulary";
import { countOfFilters, NO_FILTERS, type Filters } from "./filters";

type Facets = {
  languages: readonly string[];
  formats: readonly string[];
  genres: readonly string[];
  words?: Vocabulary | undefined;
};
type FilterBarProps = {
  filters: Filters;
  facets: Facets | undefined;
  onChange: (part: Partial<Filters>, isTyping?: boolean) => void;
};

const PAUSE_MS = 300;
const SELECTS = [
  ["language", "languages"],
  ["format", "formats"],
  ["genre", "genres"],
] as const;

export function FilterBar({ filters, facets, onChange }: FilterBarProps) {
  const { t } = useTranslation("cinema");
  const count = countOfFilters({ ...filters, q: "" });
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <div className="cinema-filters" role="search">
      <Search value={filters.q} onChange={(q) => onChange({ q }, true)} />
      <button
        type="button"
        className="cinema-filter-toggle"
        aria-expanded={isOpen}
        aria-controls="cinema-filter-fields"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filter" size={18} /> {t("filters")}
        {count > 0 && <span className="cinema-filter-count">{number(count)}</span>}
      </button>
      <div
        id="cinema-filter-fields"
        className="cinema-filter-fields"
        data-open={isOpen || undefined}
      >
        {SELECTS.map(([name, options]) => (
          <FilterSelect
            key={name}
            label={t(name)}
            any={t(`any_${name}`)}
            value={filters[name]}
            options={facets?.[options] ?? []}
            words={facets?.words ?? {}}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
        <button
          type="button"
          className="cinema-pill"
          aria-pressed={filters.accessible}
          onClick={() => onChange({ accessible: !filters.accessible })}
        >
          <Icon name="access" size={18} /> {t("accessible")}
        </button>
        {count > 0 && (
          <button
            type="button"
            className="cinema-clear"
            onClick={() => {
              const { language, format, genre, accessible } = NO_FILTERS;
              onChange({ language, format, genre, accessible });
            }}
          >
            {t("clear")}
          </button>
        )}
      </div>
    </div>
  );
}

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("cinema");
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The address wins, unless it has what was typed here.
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value);
    }
  }, [value]);
  useEffect(() => {
    if (typed.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed.trim();
      onChange(sent.current);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <label className="cinema-search">
      <Icon name="search" size={18} />
      <span className="visually-hidden">{t("search")}</span>
      <input
        type="search"
        placeholder={t("search")}
        value={typed}
        maxLength={100}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

type ChoiceProps = {
  label: string;
  any: string;
  value: string;
  options: readonly string[];
  words: Vocabulary;
  onChange: (value: string) => void;
};

function FilterSelect({ label, any, value, options, words, onChange }: ChoiceProps) {
  const shown = value === "" || options.includes(value) ? options : [value, ...options];
  return (
    <label className="cinema-pill" data-chosen={value !== "" || undefined}>
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {shown.map((option) => (
          <option key={option} value={option}>
            {named(words, option)}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </label>
  );
}
