// A figure with its name, and a short note below.
import type { ReactNode } from "react";
import { Icon, type IconName } from "~/design";

export function Figure(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  icon?: IconName;
  tone?: "good" | "bad";
}) {
  return (
    <div className="console-figure" data-tone={props.tone}>
      <dt>
        {props.icon && <Icon name={props.icon} size={18} />}
        {props.label}
      </dt>
      <dd>
        <span className="console-figure-value tabular">{props.value}</span>
        {props.note && <span className="console-figure-note">{props.note}</span>}
      </dd>
    </div>
  );
}
