// The sample: an invented house to look around with, added and taken away by a click.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProgrammeSample } from "~/api/schema";
import { Button, ErrorNote, useToast } from "~/design";
import { ActButton, Panel } from "../parts";
import { PROGRAMME } from "../programme/calls";
import { api } from "../session";

export const readSample = (): Promise<ProgrammeSample> => api.GET("/v1/programme/sample");

export function SamplePanel() {
  const { t } = useTranslation("programme");
  const { data: sample } = useQuery({ queryKey: [...PROGRAMME, "sample"], queryFn: readSample });
  if (sample === undefined) return null;
  const isThere = sample.added_at !== null;
  return (
    <Panel
      title={t("sample.title")}
      lead={t(isThere ? "sample.there" : "sample.text")}
      className="programme-narrow"
    >
      <div className="console-actions">{isThere ? <RemoveSample /> : <AddSample />}</div>
    </Panel>
  );
}

function AddSample() {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const add = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.PUT("/v1/programme/sample", { body: { sample: "house" } });
      await queries.invalidateQueries({ queryKey: PROGRAMME });
      tell(t("sample.added"));
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind="quiet" busy={busy} onClick={() => void add()}>
        {t("sample.add")}
      </Button>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}

function RemoveSample() {
  const { t } = useTranslation("programme");
  return (
    <>
      <a className="button" data-kind="quiet" href="/events" target="_blank" rel="noreferrer">
        {t("start.shop")}
      </a>
      <ActButton
        title={t("sample.ask")}
        verb={t("sample.remove")}
        dangerous
        refetches={PROGRAMME}
        act={async () => {
          await api.DELETE("/v1/programme/sample");
          return t("sample.removed");
        }}
      >
        <p>{t("sample.ask_text")}</p>
      </ActButton>
    </>
  );
}
