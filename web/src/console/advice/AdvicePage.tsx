// Advice on hold times: how long holds last, and how long buyers need.
import { useTranslation } from "react-i18next";
import { Badge, EmptyState, Loaded } from "~/design";
import type { HoldAdvice } from "../types";
import { PageHead, Panel, span } from "../parts";
import { useAdvice } from "./useAdvice";

const TONES = { enough: "good", raise: "warn", lower: "accent", too_few_samples: "plain" } as const;

export default function AdvicePage() {
  const { t } = useTranslation("console");
  const advice = useAdvice();
  return (
    <>
      <PageHead title={t("advice.title")} lead={t("advice.lead")} />
      <Loaded of={advice} height="14rem">
        {(data) =>
          data.items.length === 0 ? (
            <EmptyState title={t("advice.none")}>
              <p>{t("advice.none_text")}</p>
            </EmptyState>
          ) : (
            <AdviceList items={data.items} />
          )
        }
      </Loaded>
    </>
  );
}

/** Advice first, then the kinds with too few samples. */
function AdviceList({ items }: { items: readonly HoldAdvice[] }) {
  const { t } = useTranslation("console");
  const sorted = items.toSorted((one, other) => other.samples - one.samples);
  const few = sorted.filter((item) => item.advice === "too_few_samples");
  return (
    <>
      <ul role="list" className="console-advices">
        {sorted
          .filter((item) => item.advice !== "too_few_samples")
          .map((item) => (
            <Advice key={item.kind} item={item} />
          ))}
      </ul>
      {few.length > 0 && (
        <Panel title={t("advice.others")}>
          <dl className="console-pairs">
            {few.map((item) => (
              <div key={item.kind}>
                <dt>{item.kind}</dt>
                <dd className="tabular">
                  <span className="console-quiet">{t("advice.hold")}</span>{" "}
                  {span(item.hold_seconds)}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
    </>
  );
}

function Advice({ item }: { item: HoldAdvice }) {
  const { t } = useTranslation("console");
  const p95 = item.p95_seconds;
  return (
    <li className="console-advice">
      <div className="console-work-head">
        <h2>{item.kind}</h2>
        <Badge tone={TONES[item.advice]}>{t(`advice.is.${item.advice}`)}</Badge>
      </div>
      <p className="console-advice-words">
        {t(`advice.words.${item.advice}`, {
          hold: span(item.hold_seconds),
          p95: p95 === null ? "–" : span(p95),
          advised: item.advised_seconds === null ? "–" : span(item.advised_seconds),
        })}
      </p>
      <Scale item={item} />
      <p className="console-quiet">{t("advice.samples", { count: item.samples })}</p>
    </li>
  );
}

function Scale({ item }: { item: HoldAdvice }) {
  const { t } = useTranslation("console");
  const { p50_seconds: p50, p95_seconds: p95, hold_seconds: hold } = item;
  if (p50 === null || p95 === null) return null;
  const end = Math.max(hold, p95, item.advised_seconds ?? 0) * 1.06;
  const at = (seconds: number) => `${(seconds / end) * 100}%`;
  return (
    <div className="console-scale">
      <div className="console-scale-track" aria-hidden="true">
        <span className="console-scale-hold" style={{ inlineSize: at(hold) }} />
        <span className="console-scale-buyers" style={{ inlineSize: at(p95) }} />
        <span className="console-scale-mark" style={{ insetInlineStart: at(p50) }} />
        {item.advised_seconds !== null && (
          <span
            className="console-scale-mark"
            data-is="advised"
            style={{ insetInlineStart: at(item.advised_seconds) }}
          />
        )}
      </div>
      <dl className="console-pairs console-scale-legend">
        {(
          [
            ["half", p50],
            ["most", p95],
            ["hold", hold],
            ...(item.advised_seconds === null ? [] : [["advised", item.advised_seconds] as const]),
          ] as const
        ).map(([name, seconds]) => (
          <div key={name} data-is={name}>
            <dt>{t(`advice.${name}`)}</dt>
            <dd className="tabular">{span(seconds)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
