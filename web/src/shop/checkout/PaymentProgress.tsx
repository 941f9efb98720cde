// What the page says while a payment is under way: nothing has to be done, and nothing is lost.
import { useTranslation } from "react-i18next";
import type { News } from "./attempt";

type WaitingProps = { news: News | null; isResumed: boolean };

export function Waiting({ news, isResumed }: WaitingProps) {
  const { t } = useTranslation("shop");
  const say = sayOf(news, isResumed);
  return (
    <div className="card checkout-waiting" role="status">
      <span className="checkout-waiting-spinner spinner" aria-hidden="true" />
      <h2>{t(`waiting.${say}`)}</h2>
      <p>{t(`waiting.${say}_text`)}</p>
      {news?.kind === "challenge" && (
        <a className="button" data-kind="primary" href={news.url}>
          {t("waiting.to_bank")}
        </a>
      )}
    </div>
  );
}

function sayOf(news: News | null, isResumed: boolean): string {
  if (news === null) return isResumed ? "resumed" : "sent";
  if (news.kind === "challenge") return isResumed ? "undecided" : "challenge";
  if (news.kind === "unknown") return news.tries > 2 ? "unreachable" : "again";
  return "bank";
}
