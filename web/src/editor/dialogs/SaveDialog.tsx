// Saving: as the plan of the resource that it came from, or as a new one. What the engine refuses is
// explained, with what to do about it.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRecord, Problem } from "~/api/client";
import { Button, ButtonLink, Dialog, Note, useProblemWords } from "~/design";
import { useEditor } from "../context";
import { problemsOf } from "../document/problems";
import { createRoom, openResource, savePlan } from "../engine";
import { useWanted } from "../keepers/keepers";
import type { Source } from "../state";
import { KeepRoomForm } from "./KeepRoomForm";
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

/** As a hall or a screen, or as a resource. */
function Saving(props: Props) {
  const { t, plan } = useEditor();
  const wanted = useWanted();
  const [isKept, setKept] = useState(wanted.room !== null || wanted.home !== null);
  const errors = problemsOf(plan).filter((one) => one.isError).length;
  return (
    <div className="editor-save">
      {errors > 0 && <Note tone="warn">{t("save.errors", { count: errors })}</Note>}
      {isKept ? (
        <KeepRoomForm
          {...wanted}
          isDisabled={errors > 0}
          onOther={() => setKept(false)}
          onClose={props.onClose}
        />
      ) : (
        <SavingResource
          {...props}
          hasErrors={errors > 0}
          keepInstead={t(`${wanted.keeper.words}.keep_instead`)}
          onKeep={() => setKept(true)}
        />
      )}
    </div>
  );
}

type ResourceProps = Props & { hasErrors: boolean; keepInstead: string; onKeep: () => void };

function SavingResource(props: ResourceProps) {
  const { onClose, onSaved, hasErrors, keepInstead, onKeep } = props;
  const { plan, state, dispatch } = useEditor();
  const queries = useQueryClient();
  const { source } = state;
  const [isNew, setNew] = useState(source === null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [made, setMade] = useState<Source | null>(null);
  const attempt = async (save: () => Promise<Source>, isDraft = false) => {
    setBusy(true);
    setProblem(null);
    try {
      const saved = await save();
      dispatch({ is: "saved", plan, source: saved });
      void queries.invalidateQueries();
      onSaved(saved);
      if (isDraft) setMade(saved);
      else onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const overwrite = async ({ id }: Source) => savePlan(plan, (await openResource(id)).source);
  if (made !== null) return <DraftMade of={made} onClose={onClose} />;
  return (
    <>
      {problem !== null && (
        <Refused
          problem={problem}
          {...(source && { onOverwrite: () => void attempt(() => overwrite(source)) })}
        />
      )}
      {source !== null && !isNew ? (
        <IntoSource
          of={source}
          busy={busy}
          isDisabled={hasErrors}
          onNew={() => setNew(true)}
          onSave={() => void attempt(() => savePlan(plan, source))}
        />
      ) : (
        <NewResourceForm
          busy={busy}
          isDisabled={hasErrors}
          onMake={(room, key) => void attempt(() => createRoom(plan, room, key), true)}
        />
      )}
      <div>
        <Button kind="bare" size="small" onClick={onKeep}>
          {keepInstead}
        </Button>
      </div>
    </>
  );
}

type IntoProps = {
  of: Source;
  busy: boolean;
  isDisabled: boolean;
  onNew: () => void;
  onSave: () => void;
};

/** Saving into the resource that the room came from. */
function IntoSource({ of, busy, isDisabled, onNew, onSave }: IntoProps) {
  const { t } = useTranslation("editor");
  return (
    <>
      <p>{t("save.into", { name: of.name })}</p>
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onNew}>
          {t("save.as_new")}
        </Button>
        <Button busy={busy} disabled={isDisabled} onClick={onSave}>
          {t("save.save")}
        </Button>
      </div>
    </>
  );
}

/** What was made, and where it is published. */
function DraftMade({ of, onClose }: { of: Source; onClose: () => void }) {
  const { t } = useTranslation("editor");
  return (
    <div className="editor-save">
      <p>{t("save.draft_made", { name: of.name })}</p>
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onClose}>
          {t("save.draw_on")}
        </Button>
        <ButtonLink href={`/console/shows/${of.id}`}>{t("save.to_publish")}</ButtonLink>
      </div>
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
