// A link that downloads what a table shows, as CSV.
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";

export function CsvLink({ href }: { href: string }) {
  const { t } = useTranslation("console");
  return (
    <a className="button" data-kind="quiet" href={href} download>
      <Icon name="download" size={18} />
      {t("table.csv")}
    </a>
  );
}
