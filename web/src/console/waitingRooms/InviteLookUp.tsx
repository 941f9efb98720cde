// How one code stands, for whoever is asked about it; and revoking it alone.
import { useMutation, type QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, Button, Field, useProblemWords } from "~/design";
import { number } from "~/i18n/format";
import { ActButton, When } from "../parts";
import { api } from "../session";

const CODE_MAX = 60;

export function InviteLookUp({ room, refetches }: { room: string; refetches: QueryKey }) {
  const { t } = useTranslation("waiting_rooms");
  const words = useProblemWords();
  const [typed, setTyped] = useState("");
  const path = { waiting_room_id: room };
  const look = useMutation({
    mutationFn: (code: string) =>
      api.POST("/v1/waiting-rooms/{waiting_room_id}/invite-codes/look-up", {
        path,
        body: { code },
      }),
  });
  const { data: found } = look;
  return (
    <form
      className="programme-form"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (typed.trim() !== "" && !look.isPending) look.mutate(typed.trim());
      }}
    >
      <Field
        label={t("invites.look_label")}
        hint={t("invites.look_hint")}
        value={typed}
        maxLength={CODE_MAX}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        error={look.isError ? words(look.error) : null}
        onChange={({ target }) => {
          setTyped(target.value);
          look.reset();
        }}
      />
      <div className="console-actions">
        <Button type="submit" kind="quiet" busy={look.isPending} disabled={typed.trim() === ""}>
          {t("invites.look")}
        </Button>
        {found !== undefined && found.revoked_at === null && (
          <ActButton
            title={t("invites.revoke_one_title")}
            verb={t("invites.revoke_one")}
            dangerous
            refetches={refetches}
            act={async () => {
              const { batch, serial } = found;
              await api.DELETE(
                "/v1/waiting-rooms/{waiting_room_id}/invite-batches/{batch}/codes/{serial}",
                { path: { ...path, batch, serial } },
              );
              look.mutate(typed.trim());
              return t("invites.revoke_one_done");
            }}
          >
            <p>{t("invites.revoke_text", { count: found.used })}</p>
          </ActButton>
        )}
      </div>
      <div role="status">
        {found !== undefined && (
          <p>
            {t("invites.found", {
              serial: number(found.serial),
              joined: `${number(found.used)} / ${number(found.persons)}`,
            })}{" "}
            <bdi>{found.name}</bdi> (<bdi>{found.queue}</bdi>){" "}
            {found.revoked_at !== null && (
              <>
                <Badge tone="bad">{t("invites.revoked")}</Badge> <When at={found.revoked_at} />
              </>
            )}
          </p>
        )}
      </div>
    </form>
  );
}
