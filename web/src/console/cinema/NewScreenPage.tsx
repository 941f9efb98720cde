// A new screen of a cinema: rows of seats, areas to stand in, or a room that was drawn in the editor; and
// what its categories usually cost.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Loaded, useToast } from "~/design";
import { FormPanel, PageHead } from "../parts";
import { EditorPanel, KindPanel, type RoomKind } from "../plans/KindPanel";
import { RoomFields, RoomPreview } from "../plans/RoomFields";
import { type TypedKind, useRoomDraft } from "../plans/useRoomDraft";
import { Refused } from "../programme/Refused";
import { useDraft } from "../saving/useDraft";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { CINEMA, useCinema, useCity } from "./calls";
import { screenCategories } from "./categories";
import { PriceFields, UsualPrices } from "./PriceFields";
import { NEW_SCREEN, newScreen, type ScreenDraft, screenFaults } from "./screenDraft";
import { ScreenFields } from "./ScreenFields";

export function NewScreenPage({ cinema: id }: { cinema: string }) {
  const { t } = useTranslation("films");
  const cinema = useCinema(id);
  const [kind, setKind] = useState<RoomKind>("rows");
  return (
    <>
      <PageHead
        title={t("screens.new")}
        lead={t("screens.new_lead")}
        back={{
          href: `/console/cinema/cinemas/${id}`,
          label: cinema.data?.name ?? t("cinema.one"),
        }}
      />
      <KindPanel title={t("screen.kind")} kind={kind} onChange={setKind} />
      {kind === "editor" ? (
        <EditorPanel lead={t("screen.editor_text")} href={`/console/editor?new&cinema=${id}`} />
      ) : (
        <Loaded of={cinema} height="24rem">
          {({ city }) => <InCity key={kind} cinema={id} city={city.id} kind={kind} />}
        </Loaded>
      )}
    </>
  );
}

function InCity({ city, ...form }: { cinema: string; city: string; kind: TypedKind }) {
  const found = useCity(city);
  return (
    <Loaded of={found} height="24rem">
      {({ currency }) => <NewScreen {...form} currency={currency} />}
    </Loaded>
  );
}

type FormProps = { cinema: string; kind: TypedKind; currency: string };

function NewScreen({ cinema, kind, currency }: FormProps) {
  const { t } = useTranslation("films");
  const { t: words } = useTranslation("programme");
  const tell = useToast();
  const [, go] = useLocation();
  const room = useRoomDraft(kind, {
    rows: {
      rows: "10",
      seats: "16",
      front: "2",
      first: words("hall.first_usual"),
      second: words("hall.standard"),
      stage: { kind: "screen", label: t("screen.one") },
    },
    areas: [{ name: words("hall.area_usual"), capacity: "100" }],
  });
  const { plan } = room;
  const { busy, error, save, renew } = useSave(CINEMA);
  const { draft, faults, change, attempt } = useDraft(
    NEW_SCREEN,
    (of: ScreenDraft) => screenFaults(of, plan, currency),
    { onChange: renew },
  );
  const submit = () => {
    if (!attempt() || plan === null) return;
    const body = newScreen(cinema, draft, plan, currency);
    void save(
      (key) => api.POST("/v1/cinema/screens", { body, key }),
      () => {
        tell(t("screen.made"));
        go(`/console/cinema/cinemas/${cinema}`, { replace: true });
      },
    );
  };
  return (
    <FormPanel
      title={words(`hall.kinds.${kind}`)}
      verb={t("screen.make")}
      busy={busy}
      refused={<Refused error={error} />}
      onSubmit={submit}
    >
      <ScreenFields draft={draft} faults={faults} onChange={change} />
      <RoomFields room={room} onType={renew} />
      {plan !== null && (
        <UsualPrices>
          <PriceFields
            prices={draft.prices}
            categories={screenCategories(plan, currency)}
            currency={currency}
            faults={faults}
            busy={busy}
            onChange={(prices) => change({ prices })}
          />
        </UsualPrices>
      )}
      <RoomPreview room={room} />
    </FormPanel>
  );
}
