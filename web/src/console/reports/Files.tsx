// A report as files: for spreadsheets, and to print.
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";
import { CsvLink } from "../parts";

export function Files({ csv, pdf }: { csv: string; pdf: string }) {
  const { t, i18n } = useTranslation("console");
  const spoken = `${pdf}${pdf.includes("?") ? "&" : "?"}lang=${i18n.language}`;
  return (
    <>
      <CsvLink href={csv} />
      <a className="button" data-kind="quiet" href={spoken} target="_blank" rel="noreferrer">
        <Icon name="download" size={18} /> {t("reports.print")}
      </a>
    </>
  );
}
