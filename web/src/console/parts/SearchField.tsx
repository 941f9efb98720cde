// A debounced search field.
import { useEffect, useId, useState } from "react";
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
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), REST_MS);
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
