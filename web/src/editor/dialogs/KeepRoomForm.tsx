// Keeping a room as a hall or a screen, which is sold in many times: a new one of its house, or in
// place of the room of the one that it came from.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey, Problem } from "~/api/client";
import { Button, ButtonLink, ErrorNote, Field, Note, Select, Skeleton } from "~/design";
import { useEditor } from "../context";
import type { Keeper, Kept } from "../keepers/keeper";
import type { Wanted } from "../keepers/keepers";

type Props = Wanted & { isDisabled: boolean; onOther: () => void; onClose: () => void };

const NAME_MAX = { hall: 200, screen: 100 };

export function KeepRoomForm(props: Props) {
  const { keeper, room, home: wanted, isDisabled, onOther, onClose } = props;
  const { t } = useTranslation("editor");
  const { plan, state } = useEditor();
  const homes = useQuery({ queryKey: keeper.homesKey, queryFn: keeper.homes });
  const [chosen, setChosen] = useState<string | null>(wanted);
  const [name, setName] = useState(state.title);
  const keeping = useKeeping(keeper);
  const all = homes.data ?? [];
  const home = chosen ?? all[0]?.id ?? "";
  const isFit = name.trim() !== "" && home !== "" && !isDisabled;
  const { words } = keeper;
  if (keeping.kept !== null) return <Done keeper={keeper} of={keeping.kept} onClose={onClose} />;
  if (homes.error) return <ErrorNote error={homes.error} />;
  if (homes.data === undefined) return <Skeleton height="8rem" />;
  return (
    <form
      className="editor-save"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFit) keeping.run((key) => keeper.keep(plan, home, name.trim(), key));
      }}
    >
      {keeping.error !== null && <Refused error={keeping.error} />}
      {room !== null && (
        <InPlace
          words={words}
          busy={keeping.busy}
          isDisabled={isDisabled}
          onChange={() => keeping.run(() => keeper.change(plan, room))}
        />
      )}
      <p>{t(`${words}.text`)}</p>
      <HomeChoice keeper={keeper} homes={all} chosen={home} onChoose={setChosen} />
      <Field
        label={t(`${words}.name`)}
        value={name}
        maxLength={NAME_MAX[words]}
        onChange={({ target }) => setName(target.value)}
      />
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onOther}>
          {t(`${words}.other`)}
        </Button>
        <Button
          type="submit"
          kind={room === null ? "primary" : "quiet"}
          busy={keeping.busy}
          disabled={!isFit}
        >
          {t(`${words}.keep`)}
        </Button>
      </div>
    </form>
  );
}

type InPlaceProps = {
  words: Keeper["words"];
  busy: boolean;
  isDisabled: boolean;
  onChange: () => void;
};

/** Into the one that the room came from. */
function InPlace({ words, busy, isDisabled, onChange }: InPlaceProps) {
  const { t } = useTranslation("editor");
  return (
    <>
      <p>{t(`${words}.change_text`)}</p>
      <div>
        <Button disabled={isDisabled} busy={busy} onClick={onChange}>
          {t(`${words}.change`)}
        </Button>
      </div>
    </>
  );
}

type ChoiceProps = {
  keeper: Keeper;
  homes: readonly Kept["home"][];
  chosen: string;
  onChoose: (home: string) => void;
};

function HomeChoice({ keeper: { words, newHome }, homes, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation("editor");
  if (homes.length === 0)
    return (
      <Note tone="warn">
        <p>{t(`${words}.no_home`)}</p>
        <a href={newHome} target="_blank" rel="noreferrer">
          {t(`${words}.to_home`)}
        </a>
      </Note>
    );
  return (
    <Select
      label={t(`${words}.home`)}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {homes.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Runs the call, and tells the editor that its document is kept. */
function useKeeping({ stale }: Keeper) {
  const { plan, dispatch } = useEditor();
  const queries = useQueryClient();
  const [key] = useState(idempotencyKey);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [kept, setKept] = useState<Kept | null>(null);
  const run = (call: (key: string) => Promise<Kept>) => {
    setBusy(true);
    setError(null);
    call(key)
      .then((room) => {
        dispatch({ is: "kept", plan, title: room.name });
        void queries.invalidateQueries({ queryKey: stale });
        return setKept(room);
      })
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { busy, error, kept, run };
}

const KNOWN = ["reference_taken", "seat_retired"];
const UNITS_SHOWN = 12;

function Refused({ error }: { error: unknown }) {
  const { t } = useTranslation("editor");
  const { code, message, data } = error instanceof Problem ? error : new Problem(0, {});
  if (code !== "invalid_request" && !KNOWN.includes(code)) return <ErrorNote error={error} />;
  const units: unknown[] = Array.isArray(data["units"]) ? data["units"] : [];
  const names = units.filter((one) => typeof one === "string").slice(0, UNITS_SHOWN);
  return (
    <div role="alert">
      <Note tone="bad">
        {code === "invalid_request" ? message : t(`save.refused.${code}`)}
        {names.length > 0 && ` ${t("save.units", { units: names.join(", ") })}`}
      </Note>
    </div>
  );
}

type DoneProps = { keeper: Keeper; of: Kept; onClose: () => void };

function Done({ keeper: { words, homePath }, of: { name, home }, onClose }: DoneProps) {
  const { t } = useTranslation("editor");
  return (
    <>
      <p>{t(`${words}.kept`, { name, home: home.name })}</p>
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onClose}>
          {t("save.draw_on")}
        </Button>
        <ButtonLink href={homePath(home.id)}>{t(`${words}.open`)}</ButtonLink>
      </div>
    </>
  );
}
