// The picture of an event: shown, replaced by a file, or taken away. It is saved at once.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Production } from "~/api/schema";
import { Button, Icon } from "~/design";
import { Panel } from "../parts";
import { base64 } from "../merchant/base64";
import { api } from "../session";
import { Refused } from "./Refused";
import { PROGRAMME } from "./calls";
import { useSave } from "../saving/useSave";

const BYTES_MAX = 6_000_000;

export function PictureField({ event }: { event: Production }) {
  const { t } = useTranslation("programme");
  const file = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState(event.picture);
  const [isLarge, setLarge] = useState(false);
  const { busy, error, save } = useSave(PROGRAMME);
  const path = { production_id: event.id };
  const show = (saved: Production) => setPicture(saved.picture);
  const choose = (chosen: File | undefined) => {
    if (file.current !== null) file.current.value = "";
    if (chosen === undefined) return;
    setLarge(chosen.size > BYTES_MAX);
    if (chosen.size > BYTES_MAX) return;
    void save(async () => {
      const body = { picture: await base64(chosen) };
      return api.PUT("/v1/programme/productions/{production_id}/picture", { path, body });
    }, show);
  };
  const remove = () =>
    save(() => api.DELETE("/v1/programme/productions/{production_id}/picture", { path }), show);
  return (
    <Panel title={t("picture.title")} lead={t("picture.hint")}>
      <div className="programme-picture">
        {picture === null ? (
          <div className="programme-no-picture" aria-hidden="true">
            <Icon name="shows" size={32} />
          </div>
        ) : (
          <img src={`${picture}&size=card`} alt={event.picture_text ?? t("picture.now")} />
        )}
      </div>
      <input
        ref={file}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t("picture.file")}
        onChange={({ target }) => choose(target.files?.[0])}
      />
      <div className="console-actions">
        <Button kind="quiet" size="small" busy={busy} onClick={() => file.current?.click()}>
          {t(picture === null ? "picture.add" : "picture.other")}
        </Button>
        {picture !== null && (
          <Button kind="bare" size="small" busy={busy} onClick={() => void remove()}>
            {t("picture.remove")}
          </Button>
        )}
      </div>
      {isLarge && (
        <span className="field-error" role="alert">
          {t("picture.large")}
        </span>
      )}
      <Refused error={error} />
    </Panel>
  );
}
