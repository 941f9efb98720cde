// The head of a page, which also sets the window's title, and its panels.
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "~/design";

type HeadProps = {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
};

export function PageHead({ title, lead, actions, back }: HeadProps) {
  const { t } = useTranslation("console");
  useEffect(() => {
    document.title = `${title} · ${t("console")}`;
  }, [title, t]);
  return (
    <header className="console-head">
      {back && (
        <Link href={back.href} className="console-back">
          <Icon name="back" size={18} flip />
          {back.label}
        </Link>
      )}
      <div className="console-head-line">
        <div>
          <h1>{title}</h1>
          {lead && <div className="console-lead">{lead}</div>}
        </div>
        {actions && <div className="console-actions">{actions}</div>}
      </div>
    </header>
  );
}

export function Panel(props: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <section className={`console-panel ${props.className ?? ""}`}>
      <div className="console-panel-head">
        <div>
          <h2>{props.title}</h2>
          {props.lead && <p className="console-quiet">{props.lead}</p>}
        </div>
        {props.actions && <div className="console-actions">{props.actions}</div>}
      </div>
      {props.children}
    </section>
  );
}
