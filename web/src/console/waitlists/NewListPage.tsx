// Makes a waitlist for a show, or for several that are dates of one thing.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Button, ErrorNote, Note } from "~/design";
import { PageHead, Panel } from "../parts";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { ResourcePicker } from "../waitingRooms/ResourcePicker";
import { type ListDraft, listFaults, listOf, newListDraft } from "./listDraft";
import { RulesFields } from "./RulesFields";

const STALE = ["pages", "/v1/waitlists"] as const;

export function NewListPage() {
  const { t } = useTranslation("waitlists");
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<ListDraft>(newListDraft);
  const [isTried, setTried] = useState(false);
  const { busy, error, save } = useSave(STALE);
  const change = (part: Partial<ListDraft>) => setDraft((before) => ({ ...before, ...part }));
  const faults = isTried ? listFaults(draft) : [];
  const submit = () => {
    setTried(true);
    const body = listOf(draft);
    if (busy || body === null) return;
    void save(
      () => api.POST("/v1/waitlists", { body }),
      ({ id }) => navigate(`/console/waitlists/${id}`),
    );
  };
  return (
    <>
      <PageHead
        title={t("new")}
        lead={t("new_lead")}
        back={{ href: "/console/waitlists", label: t("title") }}
      />
      <form
        className="programme-page-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          submit();
        }}
      >
        <Panel title={t("rules.of")}>
          <ResourcePicker
            legend={t("form.resources")}
            picked={draft.resources}
            error={faults.includes("resources") ? t("wrong.resources") : null}
            onChange={(resources) => change({ resources })}
          />
        </Panel>
        <Panel title={t("rules.title")}>
          <div className="programme-form">
            <RulesFields draft={draft} faults={faults} onChange={change} />
          </div>
        </Panel>
        {error !== null && <ErrorNote error={error} />}
        {faults.length > 0 && <Note tone="warn">{t("wrong.some")}</Note>}
        <div className="console-actions">
          <Button type="submit" busy={busy}>
            {t("make")}
          </Button>
        </div>
      </form>
    </>
  );
}
