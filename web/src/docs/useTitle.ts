// The title of the window, which is also what a page is called in a list of bookmarks.
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

export function useTitle(title: string): void {
  const { t } = useTranslation("docs");
  useEffect(() => {
    document.title = title === "" ? t("title") : `${title} · ${t("title")}`;
  }, [title, t]);
}
