// A labelled input with its hint and its error, wired together for screen readers.
import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";

type Labelled = { label: ReactNode; hint?: ReactNode; error?: ReactNode; hideLabel?: boolean };

export function Field(props: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const { label, hint, error, hideLabel, className, ...input } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={className ? `field ${className}` : "field"}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : undefined}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className="field-error" role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

export function Select(props: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const { label, hint, error, hideLabel, className, children, ...select } = props;
  const id = useId();
  return (
    <div className={className ? `field ${className}` : "field"}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : undefined}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className="select"
        aria-describedby={hint ? `${id}-hint` : undefined}
      >
        {children}
      </select>
      {hint && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
      {error && (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
