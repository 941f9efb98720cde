// The search: a field with a list below it, by the ARIA pattern of a combobox. `/` goes there from
// anywhere on the page; arrows choose, Enter opens, Escape leaves.
import {
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Icon } from "~/design";
import { entriesOf, search, type Entry } from "../search";
import { once } from "../book/once";
import { useReading } from "../useBook";

export function Search() {
  const { t } = useTranslation("docs");
  const { data: book } = useReading();
  // Of all there is to find, made when the reader comes to look for something.
  const entries = useMemo(() => once(() => (book === undefined ? [] : entriesOf(book))), [book]);
  const [question, setQuestion] = useState("");
  const asked = useDeferredValue(question);
  const found = useMemo(
    () => (asked.trim() === "" ? [] : search(entries(), asked)),
    [entries, asked],
  );
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const go = useGo();
  useSlash(field);
  const isShown = isOpen && book !== undefined && question.trim() !== "";
  const chosen = Math.min(at, found.length - 1);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    setIsOpen(false);
    setQuestion("");
    field.current?.blur();
    go(entry.href);
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((chosen + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(search(entries(), question)[chosen] ?? found[chosen]);
    } else if (event.key === "Escape") {
      setIsOpen(false);
      field.current?.blur();
    }
  };
  return (
    <search className="docs-search">
      <Icon name="search" size={18} />
      <input
        ref={field}
        className="input"
        type="text"
        role="combobox"
        aria-label={t("search")}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && found.length > 0 ? `${id}-${chosen}` : undefined}
        aria-keyshortcuts="/"
        placeholder={t("search")}
        autoComplete="off"
        spellCheck={false}
        value={question}
        onChange={(event) => {
          setQuestion(event.target.value);
          setAt(0);
          setIsOpen(true);
        }}
        onFocus={() => {
          setIsOpen(true);
          setTimeout(entries);
        }}
        onBlur={() => setIsOpen(false)}
        onKeyDown={move}
      />
      <kbd aria-hidden="true">/</kbd>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("found")}
        hidden={!isShown}
        className="docs-found"
      >
        {found.map((entry, place) => (
          <div
            key={entry.href}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === chosen}
            tabIndex={-1}
            // Before the field loses its focus, and with it the list.
            onMouseDown={(event) => {
              event.preventDefault();
              open(entry);
            }}
          >
            <span className="docs-found-kind">{t(`kind.${entry.kind}`)}</span>
            <strong dir="ltr">{entry.title}</strong>
            <span className="docs-found-more" dir="ltr">
              {entry.more}
            </span>
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {isShown ? t("found_count", { count: found.length }) : ""}
      </p>
      {isShown && found.length === 0 && <p className="docs-found docs-none">{t("found_none")}</p>}
    </search>
  );
}

/** Goes to an address of these pages, and to its fragment. */
function useGo(): (href: string) => void {
  const [, navigate] = useLocation();
  return (href) => {
    navigate(href);
    globalThis.dispatchEvent(new HashChangeEvent("hashchange"));
  };
}

function useSlash(field: React.RefObject<HTMLInputElement | null>): void {
  // With the field itself: who sees it may press the key.
  useLayoutEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement &&
        target.closest("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, [field]);
}
