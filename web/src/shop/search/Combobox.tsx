// A field with suggestions while one types, by the ARIA pattern of a combobox: arrow keys choose one, Enter
// takes it or searches for the text, Escape closes the list.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Icon, type IconName } from "~/design";
import "./combobox.css";

const PAUSE_MS = 250;

type ComboboxProps<Item> = {
  icon: IconName;
  label: string;
  placeholder?: string;
  value: string;
  textMax: number;
  /** With fewer letters nothing is suggested. */
  lettersMin: number;
  /** The suggestions for the text that was asked for last. */
  items: readonly Item[];
  /** Suggestions are wanted for a text; null: none are. The same function each time. */
  onAsk: (text: string | null) => void;
  keyOf: (item: Item) => string;
  show: (item: Item) => ReactNode;
  /** What the list is called, and how many there are, for who does not see it. */
  listLabel: string;
  told: (count: number) => string;
  onChoose: (item: Item) => void;
  onSearch: (text: string) => void;
  /** The text was cleared. */
  onClear: () => void;
};

export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { value, lettersMin, onAsk, onChoose, onSearch } = props;
  const id = useId();
  const [typed, setTyped] = useTyped(value);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const asked = usePaused(typed.trim());
  const isWanted = isOpen && typed.trim().length >= lettersMin && asked.length >= lettersMin;
  const items = isWanted ? props.items : [];
  const isShown = items.length > 0;
  useEffect(() => onAsk(isWanted ? asked : null), [onAsk, isWanted, asked]);
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (item: Item) => {
    close();
    onChoose(item);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isShown) {
      event.preventDefault();
      return close();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      const chosen = items[active];
      if (chosen !== undefined) return choose(chosen);
      close();
      return onSearch(typed.trim());
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    if (!isShown) return setOpen(true);
    event.preventDefault();
    // Above the first one is the field itself.
    setActive((before) => ((before + 1 + step + items.length + 1) % (items.length + 1)) - 1);
  };
  return (
    <div className="combobox">
      <Icon name={props.icon} size={18} />
      <label htmlFor={id} className="visually-hidden">
        {props.label}
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
        placeholder={props.placeholder ?? props.label}
        value={typed}
        maxLength={props.textMax}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
          setActive(-1);
          if (event.target.value === "" && value !== "") props.onClear();
        }}
        onClick={() => lettersMin === 0 && setOpen(true)}
        onKeyDown={press}
        onBlur={close}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={props.listLabel}
        className="combobox-list"
        hidden={!isShown}
      >
        {items.map((item, index) => (
          <div
            key={props.keyOf(item)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onKeyDown={press}
            // Before the field loses the focus, with which the list would close.
            onPointerDown={(pointer) => pointer.preventDefault()}
            onClick={() => choose(item)}
          >
            {props.show(item)}
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {isShown ? props.told(items.length) : ""}
      </p>
    </div>
  );
}

/** What is typed; the value wins, when it changes. */
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
