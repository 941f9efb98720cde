// A form whose fields say themselves what is wrong of them, in place of the browser. While it is busy, it is
// not sent again. Most end with one button, below why they were not saved.
import type { ReactNode } from "react";
import { Button } from "~/design";
import { Panel } from "./PageHead";

type FormProps = {
  className?: string;
  busy: boolean;
  onSubmit: () => void;
  children: ReactNode;
};

export function Form({ className, busy, onSubmit, children }: FormProps) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (!busy) onSubmit();
      }}
    >
      {children}
    </form>
  );
}

type EndProps = {
  verb: string;
  busy: boolean;
  /** That something above is wrong, where that may be out of sight. */
  fault?: string | false;
  /** Why it was not saved. */
  refused: ReactNode;
};

export function FormEnd({ verb, busy, fault = false, refused }: EndProps) {
  return (
    <>
      {fault !== false && (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
      {refused}
      <div className="console-actions">
        <Button type="submit" busy={busy}>
          {verb}
        </Button>
      </div>
    </>
  );
}

type PanelProps = EndProps & FormProps & { title: string };

export function FormPanel({
  title,
  className = "programme-narrow",
  onSubmit,
  children,
  ...end
}: PanelProps) {
  return (
    <Panel className={className} title={title}>
      <Form className="programme-form" busy={end.busy} onSubmit={onSubmit}>
        {children}
        <FormEnd {...end} />
      </Form>
    </Panel>
  );
}
