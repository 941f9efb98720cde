// A new team: a draft, until it is published.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { useMerchant } from "../useMerchant";
import { APPOINTMENTS } from "./calls";
import { NotSaved } from "./NotSaved";
import { newTeam, newTeamDraft } from "./teamDraft";
import { TeamForm } from "./TeamForm";

export function NewTeamPage() {
  const { t } = useTranslation("appointments");
  const [, go] = useLocation();
  const tell = useToast();
  const merchant = useMerchant();
  const { busy, error, save, renew } = useSave(APPOINTMENTS);
  return (
    <>
      <PageHead
        title={t("teams.new")}
        lead={t("teams.new_lead")}
        back={{ href: "/console/appointments", label: t("teams.title") }}
      />
      <Loaded of={merchant} height="24rem">
        {(found) => (
          <TeamForm
            begin={newTeamDraft(found)}
            isNew
            busy={busy}
            refused={<NotSaved error={error} />}
            onChange={renew}
            onSubmit={(draft) =>
              void save(
                (key) => api.POST("/v1/appointments/teams", { body: newTeam(draft), key }),
                ({ id }) => {
                  tell(t("team.made"));
                  go(`/console/appointments/${id}`, { replace: true });
                },
              )
            }
          />
        )}
      </Loaded>
    </>
  );
}
