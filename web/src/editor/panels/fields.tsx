// Inputs of the inspector: they show what the document says, take what is typed as soon as it makes
// sense, and go back to the document's word when they are left.
import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Field, Select } from "~/design/Field";
import { useEditor } from "../context";

type NumberProps = {
  label: string;
  value: number | null;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  isWhole?: boolean;
  hint?: string;
  /** What is shown where there is no number. */
  placeholder?: string;
  onEmpty?: () => void;
};

export function NumberInput(props: NumberProps) {
  const { label, value, min = -1_000_000, max = 1_000_000, step = 1, isWhole = false } = props;
  const { t } = useTranslation("editor");
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (value === null ? "" : String(value));
  const read = (text: string): number | null => {
    const made = Number(text.replace(",", "."));
    const isGood = text.trim() !== "" && Number.isFinite(made) && made >= min && made <= max;
    return isGood && (!isWhole || Number.isInteger(made)) ? made : null;
  };
  const isBad = typed !== null && read(typed) === null && !(typed === "" && props.onEmpty);
  return (
    <Field
      label={label}
      inputMode={isWhole ? "numeric" : "decimal"}
      className="editor-field"
      value={shown}
      placeholder={props.placeholder}
      hint={props.hint}
      error={isBad ? t("field.bounds", { min, max }) : undefined}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        const made = read(text);
        if (made !== null) props.onChange(made);
        else if (text === "") props.onEmpty?.();
      }}
      onBlur={() => setTyped(null)}
      onKeyDown={(event) => {
        if (event.key === "Enter") setTyped(null);
        const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
        if (by === 0 || value === null) return;
        event.preventDefault();
        const made = Math.round((value + by * step * (event.shiftKey ? 10 : 1)) * 1000) / 1000;
        if (made < min || made > max) return;
        setTyped(null);
        props.onChange(made);
      }}
    />
  );
}

type TextProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  most?: number;
  isNeeded?: boolean;
  hint?: string;
  isFirst?: boolean;
};

export function TextInput({
  label,
  value,
  onChange,
  most = 100,
  isNeeded = true,
  hint,
  isFirst,
}: TextProps) {
  const { t } = useTranslation("editor");
  const [typed, setTyped] = useState<string | null>(null);
  const isBad = typed !== null && isNeeded && typed === "";
  return (
    <Field
      label={label}
      className="editor-field"
      data-first={isFirst || undefined}
      value={typed ?? value}
      maxLength={most}
      hint={hint}
      error={isBad ? t("field.needed") : undefined}
      onChange={(event) => {
        // oxlint-disable-next-line no-control-regex -- names have none
        const text = event.target.value.replace(/[\u0000-\u001f\u007f]/gu, "");
        setTyped(text);
        if (text !== "" || !isNeeded) onChange(text);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** A text that means something, as a list of numbers does; `read` gives null while it makes no sense. */
export function ReadInput<T>(props: {
  label: string;
  value: string;
  hint: string;
  read: (text: string) => T | null;
  onChange: (value: T) => void;
}) {
  const { t } = useTranslation("editor");
  const [typed, setTyped] = useState<string | null>(null);
  const isBad = typed !== null && props.read(typed) === null;
  return (
    <Field
      label={props.label}
      className="editor-field editor-field-wide"
      value={typed ?? props.value}
      hint={props.hint}
      error={isBad ? t("field.unreadable") : undefined}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        const made = typed === null ? null : props.read(typed);
        if (made !== null && typed !== props.value) props.onChange(made);
        setTyped(null);
      }}
      onKeyDown={(event) => {
        const made = event.key === "Enter" && typed !== null ? props.read(typed) : null;
        if (made === null) return;
        props.onChange(made);
        setTyped(null);
      }}
    />
  );
}

export function Choice(props: {
  label: string;
  value: string;
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <Select
      label={props.label}
      className="editor-field"
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    >
      {props.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

export function Check({
  label,
  value,
  onChange,
}: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) {
  const id = useId();
  return (
    <label className="editor-check" htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** The category of something: one of those that are listed, or as what it is part of. */
export function CategoryChoice(props: {
  value: string | null;
  /** What it means not to say one; absent: one must be said. */
  usual?: string;
  onChange: (category: string | null) => void;
}) {
  const { t } = useTranslation("editor");
  const { plan } = useEditor();
  const names = (plan.categories ?? []).map((category) => category.name);
  const known =
    props.value !== null && !names.includes(props.value) ? [props.value, ...names] : names;
  const options = known.map((name) => ({ value: `=${name}`, label: name }));
  const none = { value: "", label: props.usual ?? t("category.none") };
  return (
    <Choice
      label={t("field.category")}
      value={props.value === null ? "" : `=${props.value}`}
      options={props.usual !== undefined || props.value === null ? [none, ...options] : options}
      onChange={(value) => props.onChange(value === "" ? null : value.slice(1))}
    />
  );
}

export function Group({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="editor-group">
      {title && <h3>{title}</h3>}
      <div className="editor-fields">{children}</div>
    </section>
  );
}
