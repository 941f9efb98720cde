// The mails to buyers and to who waits: what the merchant writes in each, by kind and language, and how it will look.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MailTextView } from "~/api/schema";
import { Loaded, Select, Tabs } from "~/design";
import { isLocale, LOCALES, type LocaleName } from "~/i18n";
import { PageHead, Panel } from "../parts";
import { setsInstallation, useOwnSession } from "../session";
import { MAIL_TEXTS, readMailTexts } from "./calls";
import { MailForm } from "./MailForm";
import { RemindersPanel } from "./RemindersPanel";
import { ServerPanel } from "./ServerPanel";
import { FIRST_KIND, KIND_GROUPS, KINDS, type MailKind } from "./text";
import "./mails.css";

export default function MailsPage() {
  const { t } = useTranslation("console");
  const session = useOwnSession();
  const found = useQuery({
    queryKey: MAIL_TEXTS,
    queryFn: readMailTexts,
    // What is being typed is not replaced.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  return (
    <>
      <PageHead title={t("mails.title")} lead={t("mails.lead")} />
      <Loaded of={found} height="24rem">
        {({ items }) => <Mails items={items} />}
      </Loaded>
      <RemindersPanel />
      {session !== null && setsInstallation(session) && <ServerPanel session={session} />}
    </>
  );
}

function Mails({ items }: { items: readonly MailTextView[] }) {
  const { t, i18n } = useTranslation("console");
  const queries = useQueryClient();
  const [kind, setKind] = useState<MailKind>(FIRST_KIND);
  const [language, setLanguage] = useState<LocaleName>(
    isLocale(i18n.language) ? i18n.language : "en",
  );
  const shown = items.find((one) => one.kind === kind && one.language === language);
  const isOwn = (one: MailTextView) => one.text !== null;
  const saved = (view: MailTextView) =>
    queries.setQueryData(MAIL_TEXTS, {
      items: items.map((one) =>
        one.kind === view.kind && one.language === view.language ? view : one,
      ),
      next: null,
    });
  return (
    <>
      <Panel title={t("mails.which")}>
        <div className="mails-which">
          <Select
            label={t("mails.kind")}
            value={kind}
            onChange={({ target }) => setKind(KINDS.find((one) => one === target.value) ?? kind)}
          >
            {Object.entries(KIND_GROUPS).map(([group, kinds]) => (
              <optgroup key={group} label={t(`mails.groups.${group}`)}>
                {kinds.map((one) => (
                  <option key={one} value={one}>
                    {t(`mails.kinds.${one}`)}
                    {items.some((view) => view.kind === one && isOwn(view))
                      ? ` (${t("mails.own")})`
                      : ""}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
          <Tabs
            label={t("mails.language")}
            chosen={language}
            onChoose={(key) => isLocale(key) && setLanguage(key)}
            items={Object.keys(LOCALES)
              .filter(isLocale)
              .map((key) => ({
                key,
                label: <span lang={key}>{LOCALES[key].name}</span>,
              }))}
          />
        </div>
      </Panel>
      {shown !== undefined && (
        <MailForm key={`${kind} ${language}`} view={shown} language={language} onSaved={saved} />
      )}
    </>
  );
}
