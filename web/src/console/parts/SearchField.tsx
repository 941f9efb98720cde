// A debounced search field.
import { useEffect, useId, useRef, useState } from "react";
import { Icon } from "~/design";

const REST_MS = 250;

type SearchProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  hint?: string;
};

export function SearchField({ label, value, onChange, hint }: SearchProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The value wins, unless it is what was typed here: a space at its end is the begin of a word.
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      onChange(sent.current);
    }, REST_MS);
    return () => clearTimeout(timer);
    // Debounced by typing, not by renders.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text]);
  return (
    <div className="field console-search">
      <label htmlFor={id}>{label}</label>
      <div className="console-search-box">
        <Icon name="search" size={18} />
        <input
          id={id}
          type="search"
          className="input"
          value={text}
          maxLength={200}
          placeholder={hint}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </div>
  );
}
