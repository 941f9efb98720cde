// Inputs of the inspector: they show what the document says, take what is typed as soon as it makes
// sense, and go back to the document's word when they are left.
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field, Select } from "~/design";
import { useEditor } from "../context";

type NumberProps = {
  label: string;
  value: number | null;
  onChange: (value: number) => void;
  /** The least and the most; of whole numbers, with the step of the arrow keys. */
  whole?: readonly [least: number, most: number, step?: number];
  range?: readonly [least: number, most: number];
  step?: number;
  hint?: string | undefined;
  /** What is shown where there is no number. */
  placeholder?: string;
  onEmpty?: () => void;
};

/** The number that a text says, if it is within the bounds. */
function readNumber(text: string, min: number, max: number, isWhole: boolean): number | null {
  const made = Number(text.replace(",", "."));
  const isGood = text.trim() !== "" && made >= min && made <= max;
  return isGood && (!isWhole || Number.isInteger(made)) ? made : null;
}

export function NumberInput(props: NumberProps) {
  const { value, whole, range = [-1_000_000, 1_000_000] } = props;
  const [min, max, step = props.step ?? 1] = whole ?? range;
  const { t } = useTranslation("editor");
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string) => readNumber(text, min, max, whole !== undefined);
  const isBad = typed !== null && read(typed) === null && !(typed === "" && props.onEmpty);
  const stepBy = (by: number) => {
    const made = Math.round(((value ?? 0) + by * step) * 1000) / 1000;
    if (made < min || made > max) return;
    setTyped(null);
    props.onChange(made);
  };
  return (
    <Field
      label={props.label}
      inputMode={whole ? "numeric" : "decimal"}
      className="editor-field"
      value={typed ?? String(value ?? "")}
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
        stepBy(event.shiftKey ? by * 10 : by);
      }}
    />
  );
}

export function TextInput(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  most?: number;
  isNeeded?: boolean;
  hint?: string;
  /** The language of the text, if it is not the page's. */
  writing?: { readonly lang: string; readonly dir: string };
}) {
  const { isNeeded = true } = props;
  const { t } = useTranslation("editor");
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field
      label={props.label}
      className="editor-field"
      value={typed ?? props.value}
      maxLength={props.most ?? 100}
      hint={props.hint}
      {...props.writing}
      error={typed === "" && isNeeded ? t("field.needed") : undefined}
      onChange={(event) => {
        // oxlint-disable-next-line no-control-regex -- names have none
        const text = event.target.value.replace(/[\u0000-\u001f\u007f]/gu, "");
        setTyped(text);
        if (text !== "" || !isNeeded) props.onChange(text);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** A text that means something, as a list of numbers does; `read` gives null while it makes no sense. */
export function ReadInput<T>(props: {
  field: string;
  value: string;
  read: (text: string) => T | null;
  onChange: (value: T) => void;
}) {
  const { t } = useTranslation("editor");
  const [typed, setTyped] = useState<string | null>(null);
  const made = typed === null ? null : props.read(typed);
  const take = () => {
    if (made !== null && typed !== props.value) props.onChange(made);
    setTyped(null);
  };
  return (
    <Field
      label={t(`field.${props.field}`)}
      className="editor-field editor-field-wide"
      value={typed ?? props.value}
      hint={t(`field.${props.field}_hint`)}
      error={typed !== null && made === null ? t("field.unreadable") : undefined}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === "Enter" && made !== null) take();
      }}
    />
  );
}

export function Choice<W extends string>(props: {
  label: string;
  value: string;
  options: readonly { readonly value: W; readonly label: string }[];
  onChange: (value: W) => void;
}) {
  return (
    <Select
      label={props.label}
      className="editor-field"
      value={props.value}
      onChange={(event) => {
        const chosen = props.options.find(({ value }) => value === event.target.value);
        if (chosen) props.onChange(chosen.value);
      }}
    >
      {props.options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}

export function Check(props: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) {
  return (
    <label className="editor-check">
      <input
        type="checkbox"
        checked={props.value}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
}

/** A colour for drawing, or none. */
export function Colour(props: {
  label: string;
  value: string | null;
  onChange: (value: string | undefined) => void;
}) {
  const { t } = useTranslation("editor");
  return (
    <div className="editor-colour">
      <label>
        <span>{props.label}</span>
        <input
          type="color"
          value={props.value ?? "#8d8798"}
          onChange={(event) => props.onChange(event.target.value)}
        />
      </label>
      {props.value !== null && (
        <Button kind="bare" size="small" onClick={() => props.onChange(undefined)}>
          {t("colour.none")}
        </Button>
      )}
    </div>
  );
}

/** The category of something: one of those that are listed, or as what it is part of. */
export function CategoryChoice(props: {
  value: string | null;
  /** What it means not to say one; absent: one must be said. */
  usual?: string;
  onChange: (category: string | null) => void;
}) {
  const { t, plan } = useEditor();
  const listed = (plan.categories ?? []).map((category) => category.name);
  const names = new Set([...(props.value === null ? [] : [props.value]), ...listed]);
  const options = [...names].map((name) => ({ value: `=${name}`, label: name }));
  if (props.usual !== undefined || props.value === null)
    options.unshift({ value: "", label: props.usual ?? t("category.none") });
  return (
    <Choice
      label={t("field.category")}
      value={props.value === null ? "" : `=${props.value}`}
      options={options}
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
