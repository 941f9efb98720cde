// The pictures of a property or a listing: added from files, put in order, described, taken away. What
// is shown is the list that is saved.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { StayPicture } from "~/api/schema";
import { Button, Field, useToast } from "~/design";
import { base64 } from "../merchant/base64";
import { Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { STAYS } from "./calls";
import { movedPicture } from "./pictures";

const BYTES_MAX = 6_000_000;
const PICTURES_MAX = 20;

type Shown = { readonly id: string; readonly description: string };
type Props = {
  pictures: readonly StayPicture[];
  onSave: (pictures: Shown[]) => Promise<unknown>;
};

export function PicturesPanel({ pictures, onSave }: Props) {
  const { t } = useTranslation("stays");
  const tell = useToast();
  const file = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(pictures);
  const [wrong, setWrong] = useState<"large" | "many" | null>(null);
  const { busy, error, save } = useSave(STAYS);
  const send = (files: readonly File[]) => {
    const isMany = draft.length + files.length > PICTURES_MAX;
    const isLarge = files.some(({ size }) => size > BYTES_MAX);
    setWrong(isMany ? "many" : isLarge ? "large" : null);
    if (isMany || isLarge || files.length === 0) return;
    void save(
      async () => {
        for (const one of files) {
          // oxlint-disable-next-line no-await-in-loop -- one at a time: each is megabytes
          const body = { picture: await base64(one) };
          // oxlint-disable-next-line no-await-in-loop
          const kept = await api.POST("/v1/stays/pictures", { body });
          setDraft((before) => [...before, kept]);
        }
      },
      () => undefined,
    );
  };
  const keep = () =>
    save(
      () => onSave(draft.map(({ id, description }) => ({ id, description: description.trim() }))),
      () => tell(t("saved")),
    );
  return (
    <Panel title={t("pictures.title")} lead={t("pictures.lead")}>
      <ol role="list" className="stays-pictures">
        {draft.map((one, at) => (
          <Picture
            // oxlint-disable-next-line react/no-array-index-key -- one may be shown twice
            key={`${one.id} ${at}`}
            picture={one}
            at={at}
            last={draft.length - 1}
            onChange={(description) =>
              setDraft(draft.map((each, place) => (place === at ? { ...each, description } : each)))
            }
            onMove={(by) => setDraft(movedPicture(draft, at, by))}
            onRemove={() => setDraft(draft.filter((_, place) => place !== at))}
          />
        ))}
      </ol>
      <input
        ref={file}
        type="file"
        multiple
        accept="image/png,image/jpeg,image/webp"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t("pictures.file")}
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])];
          target.value = "";
          send(chosen);
        }}
      />
      {wrong !== null && (
        <span className="field-error" role="alert">
          {t(`pictures.wrong.${wrong}`)}
        </span>
      )}
      <Refused error={error} />
      <div className="console-actions">
        <Button kind="quiet" busy={busy} onClick={() => file.current?.click()}>
          {t("pictures.add")}
        </Button>
        <Button busy={busy} onClick={() => void keep()}>
          {t("pictures.save")}
        </Button>
      </div>
    </Panel>
  );
}

type PictureProps = {
  picture: StayPicture;
  at: number;
  last: number;
  onChange: (description: string) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

function Picture({ picture, at, last, onChange, onMove, onRemove }: PictureProps) {
  const { t } = useTranslation("stays");
  const number = at + 1;
  return (
    <li>
      <div className="stays-picture" role="group" aria-label={t("pictures.one", { number })}>
        <img
          src={`${picture.path}?size=card`}
          width={picture.width}
          height={picture.height}
          alt={picture.description}
          loading="lazy"
        />
        <Field
          label={t("pictures.description")}
          hint={t("pictures.description_hint")}
          value={picture.description}
          maxLength={300}
          dir="auto"
          onChange={({ target }) => onChange(target.value)}
        />
        <div className="console-actions">
          <Button kind="quiet" size="small" disabled={at === 0} onClick={() => onMove(-1)}>
            {t("pictures.earlier")}
          </Button>
          <Button kind="quiet" size="small" disabled={at === last} onClick={() => onMove(1)}>
            {t("pictures.later")}
          </Button>
          <Button kind="bare" size="small" onClick={onRemove}>
            {t("pictures.remove")}
          </Button>
        </div>
      </div>
    </li>
  );
}
