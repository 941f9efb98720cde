// The steps as a list: what is done, what comes next, and where.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ButtonLink, Icon } from "~/design";
import { comma } from "~/i18n/format";
import { useMerchant } from "../useMerchant";
import { missingOf, openSteps, type Step } from "./steps";

export function StepList({ steps }: { steps: readonly Step[] }) {
  const next = openSteps(steps)[0];
  return (
    <ol className="programme-steps" role="list">
      {steps.map((step, at) => (
        <StepLine key={step.name} step={step} number={at + 1} isNext={step === next} />
      ))}
    </ol>
  );
}

type LineProps = { step: Step; number: number; isNext: boolean };

function StepLine({ step, number, isNext }: LineProps) {
  const { t } = useTranslation("programme");
  const { data: merchant } = useMerchant();
  const missing = (merchant === undefined ? [] : missingOf(merchant)).map((field) =>
    t(`start.missing.${field}`),
  );
  const state = step.isDone ? "done" : step.isAdvised ? "advised" : "open";
  return (
    <li
      className="programme-step"
      data-done={step.isDone || undefined}
      data-next={isNext || undefined}
      aria-current={isNext ? "step" : undefined}
    >
      <span className="programme-mark" aria-hidden="true">
        {step.isDone ? <Icon name="check" size={18} /> : number}
      </span>
      <div>
        <h2>
          {t(`start.steps.${step.name}`)}
          <span className="visually-hidden"> ({t(`start.${state}`)})</span>
        </h2>
        <p className="console-quiet">
          {t(`start.text.${step.text}`, { missing: missing.join(comma()) })}
        </p>
        {!step.isDone && step.instead.length > 0 && (
          <ul className="programme-acts" role="list">
            {step.instead.map(({ name, href }) => (
              <li key={name}>
                <Link href={href} className="programme-link">
                  {t(`start.instead.${name}`)}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
      {step.href !== null && !step.isDone && (
        <ButtonLink href={step.href} size="small" kind={isNext ? "primary" : "quiet"}>
          <span aria-hidden="true">{t("start.go")}</span>
          <span className="visually-hidden">
            {t("start.go_to", { step: t(`start.steps.${step.name}`) })}
          </span>
        </ButtonLink>
      )}
      {step.name === "sale" && !step.isDone && (
        <a
          className="button"
          data-kind="quiet"
          data-size="small"
          href="/"
          target="_blank"
          rel="noreferrer"
        >
          {t("start.shop")}
        </a>
      )}
    </li>
  );
}
