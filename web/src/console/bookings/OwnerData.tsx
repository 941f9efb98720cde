// Exports what is known of a booking's owner as a file, and erases it after asking.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Erasure, PersonalData } from "~/api/schema";
import { Button, ErrorNote, Note } from "~/design";
import { ActButton, RadioGroup } from "../parts";
import { api } from "../session";

const LOOK_MS = 400;
const LOOKS_MAX = 25;
const PAGE_SIZE = 200;

/** How an owner is called who was erased before. */
const PSEUDONYM = /^erased_[0-9a-hjkmnp-tv-z]{26}$/;

type OwnerDataProps = { owner: string; booking: string };

export function OwnerData({ owner, booking }: OwnerDataProps) {
  const { t } = useTranslation("console");
  const saving = useMutation({ mutationFn: () => save(owner) });
  if (PSEUDONYM.test(owner)) return <p className="console-quiet">{t("owner_data.erased")}</p>;
  return (
    <>
      <div className="console-actions">
        <Button kind="quiet" size="small" busy={saving.isPending} onClick={() => saving.mutate()}>
          {t("owner_data.export")}
        </Button>
        <Erase owner={owner} booking={booking} />
      </div>
      {saving.error && <ErrorNote error={saving.error} />}
    </>
  );
}

function Erase({ owner, booking }: OwnerDataProps) {
  const { t } = useTranslation("console");
  const [upcoming, setUpcoming] = useState<"without" | "with">("without");
  const erase = async (key: string) => {
    const begun = await api.POST("/v1/erasures", {
      key,
      body: { owner, including_upcoming: upcoming === "with" },
    });
    const told = await followed(begun);
    return t(told.state === "done" ? "owner_data.done" : "owner_data.running", {
      count: told.bookings,
    });
  };
  return (
    <ActButton
      kind="danger"
      size="small"
      title={t("owner_data.title")}
      verb={t("owner_data.erase")}
      dangerous
      refetches={["booking", booking]}
      act={erase}
    >
      <Note tone="warn">{t("owner_data.consequence")}</Note>
      <RadioGroup
        label={t("owner_data.upcoming")}
        value={upcoming}
        onChange={setUpcoming}
        choices={(["without", "with"] as const).map((value) => ({
          value,
          title: t(`owner_data.${value}`),
          text: t(`owner_data.${value}_text`),
        }))}
      />
    </ActButton>
  );
}

/** The erasure when it is done, or as it is after some seconds: a large one goes on by itself. */
async function followed(begun: Erasure): Promise<Erasure> {
  let told = begun;
  for (let look = 0; look < LOOKS_MAX && told.state === "running"; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    told = await api.GET("/v1/erasures/{erasure_id}", { path: { erasure_id: begun.id } });
  }
  return told;
}

/** Reads all pages of what is known of an owner, and hands them out as one file. */
async function save(owner: string): Promise<void> {
  const parts: string[] = [];
  let after: string | null = null;
  do {
    const page: PersonalData = await api.GET("/v1/personal-data", {
      query: { owner, limit: PAGE_SIZE, ...(after === null ? {} : { after }) },
    });
    parts.push(...page.items.map((item) => JSON.stringify(item)));
    after = page.next;
  } while (after !== null);
  const text = `{"owner":${JSON.stringify(owner)},"items":[\n${parts.join(",\n")}]}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "personal-data.json";
  link.click();
  // Slow browsers may read it late.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
