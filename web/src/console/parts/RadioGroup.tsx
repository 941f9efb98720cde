// Radio buttons, each with an explanation.
import { useId, type ReactNode } from "react";

type RadioProps<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  choices: readonly { readonly value: T; readonly title: string; readonly text?: ReactNode }[];
};

export function RadioGroup<T extends string>({ label, value, onChange, choices }: RadioProps<T>) {
  const name = useId();
  return (
    <fieldset className="console-radios">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} data-chosen={choice.value === value || undefined}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <strong>{choice.title}</strong>
            {choice.text && <span className="console-quiet">{choice.text}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
