// Saving: as the plan of the resource that it came from, or as a new one. What the engine refuses is
// explained, with what to do about it.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRecord, Problem } from "~/api/client";
import { Button } from "~/design/Button";
import { Dialog } from "~/design/Dialog";
import { Note, useProblemWords } from "~/design/Feedback";
import { Field } from "~/design/Field";
import { useEditor } from "../context";
import { problemsOf } from "../document/problems";
import { createRoom, newRoomKey, openResource, savePlan } from "../engine";
import { NumberInput } from "../panels/fields";
import type { Source } from "../state";

export function SaveDialog({
  open,
  onClose,
  onSaved,
}: {
  open: boolean;
  onClose: () => void;
  onSaved: (source: Source) => void;
}) {
  const { t } = useTranslation("editor");
  return (
    <Dialog open={open} title={t("save.title")} onClose={onClose}>
      <Saving onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

function Saving({ onClose, onSaved }: { onClose: () => void; onSaved: (source: Source) => void }) {
  const { t } = useTranslation("editor");
  const { plan, state, dispatch } = useEditor();
  const queries = useQueryClient();
  const [isNew, setNew] = useState(state.source === null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const errors = problemsOf(plan).filter((one) => one.isError).length;
  const done = (source: Source) => {
    dispatch({ is: "saved", plan, source });
    void queries.invalidateQueries();
    onSaved(source);
    onClose();
  };
  const attempt = async (save: () => Promise<Source>) => {
    setBusy(true);
    setProblem(null);
    try {
      done(await save());
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const { source } = state;
  return (
    <div className="editor-save">
      {errors > 0 && <Note tone="warn">{t("save.errors", { count: errors })}</Note>}
      {problem !== null && (
        <Refusal
          problem={problem}
          onOverwrite={
            source === null
              ? undefined
              : () =>
                  void attempt(async () => {
                    const now = await openResource(source.id);
                    return savePlan(plan, now.source);
                  })
          }
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
        <Making
          busy={busy}
          isHeld={errors > 0}
          onMake={(room, key) => void attempt(() => createRoom(plan, room, key))}
        />
      )}
    </div>
  );
}

function Refusal({
  problem,
  onOverwrite,
}: {
  problem: unknown;
  onOverwrite: (() => void) | undefined;
}) {
  const { t } = useTranslation("editor");
  const words = useProblemWords();
  const code = problem instanceof Problem ? problem.code : "";
  const units =
    problem instanceof Problem && Array.isArray(problem.data["units"]) ? problem.data["units"] : [];
  const names = units
    .map((one: unknown) =>
      typeof one === "string"
        ? one
        : isRecord(one) && typeof one["unit"] === "string"
          ? one["unit"]
          : "",
    )
    .filter((name) => name !== "");
  const isKnown = ["version_mismatch", "resource_in_use", "plan_changed"].includes(code);
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
        {isKnown ? t(`save.refused.${code}`) : words(problem)}
        {problem instanceof Problem && code === "invalid_request" && <> {problem.message}</>}
        {names.length > 0 && <> {t("save.units", { units: names.slice(0, 12).join(", ") })}</>}
      </Note>
    </div>
  );
}

type MakingProps = {
  busy: boolean;
  isHeld: boolean;
  onMake: (room: Parameters<typeof createRoom>[1], key: string) => void;
};

function Making({ busy, isHeld, onMake }: MakingProps) {
  const { t } = useTranslation("editor");
  const { state } = useEditor();
  const [name, setName] = useState(state.title);
  const [starts, setStarts] = useState("");
  const [amount, setAmount] = useState(1200);
  const [currency, setCurrency] = useState("EUR");
  const [isTried, setTried] = useState(false);
  // The same key for the same wish: a lost reply, and the button again, make one room.
  const wish = JSON.stringify([name, starts, amount, currency]);
  const [asked, setAsked] = useState(() => ({ wish, key: newRoomKey() }));
  if (asked.wish !== wish) setAsked({ wish, key: newRoomKey() });
  const isGood = name.trim() !== "" && /^[A-Z]{3}$/u.test(currency);
  const make = () => {
    setTried(true);
    if (!isGood) return;
    onMake(
      {
        name: name.trim(),
        startsAt: starts === "" ? null : new Date(starts).toISOString(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
        price: { amount, currency },
      },
      asked.key,
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <p className="editor-text">{t("save.new_text")}</p>
      <div className="editor-fields">
        <Field
          className="editor-field-wide"
          label={t("save.name")}
          value={name}
          maxLength={200}
          error={isTried && name.trim() === "" ? t("field.needed") : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          className="editor-field-wide"
          label={t("save.starts")}
          type="datetime-local"
          value={starts}
          onChange={(event) => setStarts(event.target.value)}
        />
        <NumberInput
          label={t("save.price")}
          value={amount}
          isWhole
          min={0}
          max={1_000_000_000}
          step={50}
          hint={t("save.price_hint")}
          onChange={setAmount}
        />
        <Field
          label={t("save.currency")}
          value={currency}
          maxLength={3}
          error={isTried && !/^[A-Z]{3}$/u.test(currency) ? t("save.currency_hint") : undefined}
          onChange={(event) => setCurrency(event.target.value.toUpperCase())}
        />
      </div>
      <div className="dialog-actions">
        <Button type="submit" busy={busy} disabled={isHeld}>
          {t("save.make")}
        </Button>
      </div>
    </form>
  );
}
