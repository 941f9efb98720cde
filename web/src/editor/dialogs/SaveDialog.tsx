// Saving: as the plan of the resource that it came from, or as a new one. What the engine refuses is
// explained, with what to do about it.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRecord, Problem } from "~/api/client";
import { Button, Dialog, Note, useProblemWords } from "~/design";
import { useEditor } from "../context";
import { problemsOf } from "../document/problems";
import { createRoom, openResource, savePlan } from "../engine";
import type { Source } from "../state";
import { NewResourceForm } from "./NewResourceForm";

type Props = { onClose: () => void; onSaved: (source: Source) => void };

export function SaveDialog({ open, ...props }: Props & { open: boolean }) {
  const { t } = useTranslation("editor");
  return (
    <Dialog open={open} title={t("save.title")} onClose={props.onClose}>
      <Saving {...props} />
    </Dialog>
  );
}

function Saving({ onClose, onSaved }: Props) {
  const { t, plan, state, dispatch } = useEditor();
  const queries = useQueryClient();
  const { source } = state;
  const [isNew, setNew] = useState(source === null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const errors = problemsOf(plan).filter((one) => one.isError).length;
  const attempt = async (save: () => Promise<Source>) => {
    setBusy(true);
    setProblem(null);
    try {
      const saved = await save();
      dispatch({ is: "saved", plan, source: saved });
      void queries.invalidateQueries();
      onSaved(saved);
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const overwrite = async ({ id }: Source) => savePlan(plan, (await openResource(id)).source);
  return (
    <div className="editor-save">
      {errors > 0 && <Note tone="warn">{t("save.errors", { count: errors })}</Note>}
      {problem !== null && (
        <Refused
          problem={problem}
          {...(source && { onOverwrite: () => void attempt(() => overwrite(source)) })}
        />
      )}
      {source !== null && !isNew ? (
        <>
          <p>{t("save.into", { name: source.name })}</p>
          <div className="dialog-actions">
            <Button kind="quiet" onClick={() => setNew(true)}>
              {t("save.as_new")}
            </Button>
            <Button
              busy={busy}
              disabled={errors > 0}
              onClick={() => void attempt(() => savePlan(plan, source))}
            >
              {t("save.save")}
            </Button>
          </div>
        </>
      ) : (
        <NewResourceForm
          busy={busy}
          isDisabled={errors > 0}
          onMake={(room, key) => void attempt(() => createRoom(plan, room, key))}
        />
      )}
    </div>
  );
}

const KNOWN = ["version_mismatch", "resource_in_use", "plan_changed"];
const UNITS_SHOWN = 12;

function Refused({ problem, onOverwrite }: { problem: unknown; onOverwrite?: () => void }) {
  const { t } = useTranslation("editor");
  const words = useProblemWords();
  const { code, message, data } = problem instanceof Problem ? problem : new Problem(0, {});
  const units: unknown[] = Array.isArray(data["units"]) ? data["units"] : [];
  const names = units
    .map((one) => (isRecord(one) ? one["unit"] : one))
    .filter((name) => typeof name === "string");
  return (
    <div role="alert">
      <Note
        tone="bad"
        actions={
          code === "version_mismatch" &&
          onOverwrite && (
            <Button kind="quiet" size="small" onClick={onOverwrite}>
              {t("save.overwrite")}
            </Button>
          )
        }
      >
        {KNOWN.includes(code) ? t(`save.refused.${code}`) : words(problem)}
        {code === "invalid_request" && ` ${message}`}
        {names.length > 0 &&
          ` ${t("save.units", { units: names.slice(0, UNITS_SHOWN).join(", ") })}`}
      </Note>
    </div>
  );
}
