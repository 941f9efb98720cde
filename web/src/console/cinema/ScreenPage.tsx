// One screen: its room as it is, what is said of it, its usual prices, and a way to draw it anew.
import { useTranslation } from "react-i18next";
import type { ScreenChange } from "~/api/schema";
import { ButtonLink, Loaded, useToast } from "~/design";
import { RoomPicture } from "~/editor/RoomPicture";
import { FormPanel, PageHead, Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { TranslationFields } from "../programme/TranslationFields";
import { useChange } from "../saving/useChange";
import { useDraft } from "../saving/useDraft";
import { api, useManagesAll } from "../session";
import { CINEMA, type PlacedScreen, readScreen, SCREENS_PAGE, screenKey, useScreen } from "./calls";
import { screenCategories } from "./categories";
import { lines } from "./lines";
import { PriceFields, UsualPrices } from "./PriceFields";
import {
  featureField,
  placeField,
  placesOf,
  screenChange,
  screenDraft,
  screenFaults,
  screenOwn,
} from "./screenDraft";
import { ScreenFields } from "./ScreenFields";

export function ScreenPage({ id }: { id: string }) {
  const { t } = useTranslation("films");
  const found = useScreen(id);
  const mayManage = useManagesAll();
  const screen = found.data?.screen;
  return (
    <>
      <PageHead
        title={screen?.name ?? t("screen.one")}
        lead={screen && t("screens.seats", { count: screen.seats })}
        back={
          screen
            ? { href: `/console/cinema/cinemas/${screen.cinema.id}`, label: screen.cinema.name }
            : { href: SCREENS_PAGE, label: t("cinemas.title") }
        }
        actions={
          mayManage && (
            <ButtonLink kind="quiet" href={`/console/editor?screen=${id}`}>
              {t("screen.draw")}
            </ButtonLink>
          )
        }
      />
      <Loaded of={found} height="24rem">
        {(placed) => (
          <>
            {placed.screen.plan && (
              <Panel title={t("screen.room")} lead={t("screen.room_text")}>
                <figure className="programme-room">
                  <RoomPicture plan={placed.screen.plan} />
                </figure>
              </Panel>
            )}
            {mayManage && <ChangeForm placed={placed} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function ChangeForm({ placed }: { placed: PlacedScreen }) {
  const { t } = useTranslation("films");
  const tell = useToast();
  const { id } = placed.screen;
  const { began, edition, busy, error, ...saving } = useChange(placed, {
    stale: CINEMA,
    key: screenKey(id),
    read: () => readScreen(id),
    send: async (body: ScreenChange, now) => ({
      ...now,
      screen: await api.PATCH("/v1/cinema/screens/{screen_id}", { path: { screen_id: id }, body }),
    }),
    own: screenOwn,
    changeOf: screenChange,
  });
  const { currency } = began;
  const { plan } = began.screen;
  const form = useDraft(screenDraft(began), (draft) => screenFaults(draft, plan, currency), {
    edition,
    busy,
  });
  const { draft, faults, change } = form;
  const submit = () => {
    if (!form.attempt()) return;
    if (saving.isUnchanged(draft)) return tell(t("unchanged"));
    void saving.change(draft, () => tell(t("saved")));
  };
  return (
    <FormPanel
      title={t("screen.about")}
      verb={t("save")}
      busy={busy}
      refused={<Refused error={error} onAnew={saving.loadTheirs} />}
      onSubmit={submit}
    >
      <ScreenFields draft={draft} faults={faults} onChange={change} />
      {plan && (
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
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => change({ translated })}
        fields={[
          { field: "name", label: t("screen.name"), max: 100 },
          ...lines(draft.features).map((one) => ({
            field: featureField(one),
            label: one,
            max: 40,
          })),
          ...placesOf(plan).map((one) => ({ field: placeField(one), label: one, max: 100 })),
        ]}
      />
    </FormPanel>
  );
}
