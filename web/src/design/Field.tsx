// A labelled input or select with its hint and its error, wired together for screen readers.
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";

type Label = {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  hideLabel?: boolean;
  className?: string | undefined;
};
type Control = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

function Labelled(props: Label & { children: (control: Control) => ReactNode }) {
  const { label, hint, error, hideLabel, className, children } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={className ? `field ${className}` : "field"}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : undefined}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
      })}
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

export function Field(props: Label & InputHTMLAttributes<HTMLInputElement>) {
  const { label, hint, error, hideLabel, className, ...input } = props;
  return (
    <Labelled {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(control) => <input {...input} {...control} className="input" />}
    </Labelled>
  );
}

export function Select(props: Label & SelectHTMLAttributes<HTMLSelectElement>) {
  const { label, hint, error, hideLabel, className, ...select } = props;
  return (
    <Labelled {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(control) => <select {...select} {...control} className="select" />}
    </Labelled>
  );
}

export function TextArea(props: Label & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { label, hint, error, hideLabel, className, ...area } = props;
  return (
    <Labelled {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(control) => <textarea {...area} {...control} className="input" />}
    </Labelled>
  );
}
