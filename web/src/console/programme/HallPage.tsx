// One hall: its room as it is, its name, and a way to draw it anew.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Hall } from "~/api/schema";
import { Badge, Button, ButtonLink, Field, Loaded, useToast } from "~/design";
import { RoomPicture } from "~/editor/RoomPicture";
import { comma } from "~/i18n/format";
import { FormPanel, PageHead, Panel } from "../parts";
import { api } from "../session";
import { PROGRAMME, useHall } from "./calls";
import { changed } from "../saving/changes";
import { Refused } from "./Refused";
import { TranslationFields } from "./TranslationFields";
import { readTranslations, writeTranslations } from "~/translations/translated";
import { useSave } from "../saving/useSave";

export function HallPage({ id }: { id: string }) {
  const { t } = useTranslation("programme");
  const found = useHall(id);
  return (
    <>
      {found.data === undefined && (
        <PageHead
          title={t("hall.one")}
          back={{ href: "/console/programme/venues", label: t("venues.title") }}
        />
      )}
      <Loaded of={found} height="24rem">
        {(hall) => <HallDetails hall={hall} />}
      </Loaded>
    </>
  );
}

function HallDetails({ hall }: { hall: Hall }) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  // What the form began with: only what differs from that is sent.
  const [began, setBegan] = useState(hall);
  const typed = { name: began.name };
  const stored = hall.translations ?? [];
  const [name, setName] = useState(hall.name);
  const [translated, setTranslated] = useState(() => readTranslations(stored, typed));
  const { busy, error, save } = useSave(PROGRAMME);
  type Body = { name?: string; archived?: boolean; translations?: typeof stored };
  const change = (body: Body, onSaved?: (saved: Hall) => void) =>
    save(
      () => api.PATCH("/v1/programme/halls/{hall_id}", { path: { hall_id: hall.id }, body }),
      (saved) => {
        onSaved?.(saved);
        tell(t("saved"));
      },
    );
  const submit = () => {
    if (name.trim() === "") return;
    const said = (title: string, words: typeof translated) => ({
      name: title.trim(),
      translations: writeTranslations(words, { name: title }, typed, stored),
    });
    const before = said(began.name, readTranslations(began.translations ?? [], typed));
    void change(changed(before, said(name, translated)), (saved) => {
      setBegan(saved);
      setName(saved.name);
      setTranslated(readTranslations(saved.translations ?? [], { name: saved.name }));
    });
  };
  const drawn = hall.plan;
  return (
    <>
      <PageHead
        title={hall.name}
        back={{ href: `/console/programme/venues/${hall.venue.id}`, label: hall.venue.name }}
        lead={
          <span className="console-facts">
            {hall.archived && <Badge>{t("archived")}</Badge>}
            <span>{t("halls.capacity", { count: hall.capacity })}</span>
            <bdi>
              {hall.categories
                .map((one) => (one.name === "standard" ? t("hall.standard") : one.name))
                .join(comma())}
            </bdi>
          </span>
        }
        actions={
          <>
            <Button
              kind="quiet"
              busy={busy}
              onClick={() => void change({ archived: !hall.archived })}
            >
              {t(hall.archived ? "away.unarchive" : "away.archive")}
            </Button>
            <ButtonLink kind="quiet" href={`/console/editor?hall=${hall.id}`}>
              {t("hall.draw")}
            </ButtonLink>
          </>
        }
      />
      {drawn && (
        <Panel title={t("hall.room")} lead={t("hall.room_text")}>
          <figure className="programme-room">
            <RoomPicture plan={drawn} />
          </figure>
        </Panel>
      )}
      <FormPanel
        className=""
        title={t("hall.about")}
        verb={t("save")}
        busy={busy}
        refused={<Refused error={error} />}
        onSubmit={submit}
      >
        <Field
          label={t("hall.name")}
          value={name}
          maxLength={200}
          dir="auto"
          error={name.trim() === "" ? t("hall.wrong.name") : null}
          onChange={({ target }) => setName(target.value)}
        />
        <TranslationFields
          value={translated}
          onChange={setTranslated}
          fields={[{ field: "name", label: t("hall.name"), max: 200 }]}
        />
      </FormPanel>
    </>
  );
}
