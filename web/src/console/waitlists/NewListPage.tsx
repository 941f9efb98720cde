// Makes a waitlist for a show, or for several that are dates of one thing.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Button, ErrorNote, Note } from "~/design";
import { Form, PageHead, Panel } from "../parts";
import { useDraft } from "../saving/useDraft";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { ResourcePicker } from "../waitingRooms/ResourcePicker";
import { listFaults, listOf, newListDraft } from "./listDraft";
import { RulesFields } from "./RulesFields";

const STALE = ["pages", "/v1/waitlists"] as const;

export function NewListPage() {
  const { t } = useTranslation("waitlists");
  const [, navigate] = useLocation();
  const { draft, faults, change, attempt } = useDraft(newListDraft(), listFaults);
  const { busy, error, save } = useSave(STALE);
  const submit = () => {
    const body = listOf(draft);
    if (!attempt() || body === null) return;
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
      <Form className="programme-page-form" busy={busy} onSubmit={submit}>
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
      </Form>
    </>
  );
}
