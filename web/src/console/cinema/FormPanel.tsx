// The frame of a form of the cinema: its fields, why it was not saved, and the one button.
import type { ReactNode } from "react";
import { Button } from "~/design";
import { Panel } from "../parts";

export type FormProps<Draft> = {
  begin: Draft;
  /** With another number, it begins anew. */
  edition?: number;
  busy: boolean;
  /** Why it was not saved. */
  refused: ReactNode;
  /** What is sent was changed. */
  onChange?: () => void;
  onSubmit: (draft: Draft) => void;
};

type PanelProps = {
  title: string;
  verb: string;
  busy: boolean;
  refused: ReactNode;
  onSubmit: () => void;
  children: ReactNode;
};

export function FormPanel({ title, verb, busy, refused, onSubmit, children }: PanelProps) {
  return (
    <Panel className="programme-narrow" title={title}>
      <form
        className="programme-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (!busy) onSubmit();
        }}
      >
        {children}
        {refused}
        <div className="console-actions">
          <Button type="submit" busy={busy}>
            {verb}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
