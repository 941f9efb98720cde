// The pages for what does not exist, or cannot be read.
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { ButtonLink } from "~/design/Button";
import { ErrorNote } from "~/design/Feedback";
import { Page } from "./Page";

type What = "page" | "show" | "booking" | "hold";

/** Not found, or an error to retry. */
export function PageFailure(props: { what: What; error: unknown; onRetry: () => void }) {
  const { what, error, onRetry } = props;
  if (error instanceof Problem && [403, 404, 422].includes(error.status)) {
    return <NotFound what={what} />;
  }
  return (
    <div className="shop-page">
      <ErrorNote error={error} onRetry={onRetry} />
    </div>
  );
}

export function NotFound({ what = "page" }: { what?: What }) {
  const { t } = useTranslation("shop");
  return (
    <Page title={t(`not_found.${what}`)} className="shop-narrow">
      <p className="shop-lead">{t("not_found.text")}</p>
      <p>
        <ButtonLink href="/">{t("not_found.home")}</ButtonLink>
      </p>
    </Page>
  );
}
