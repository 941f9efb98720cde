// A new film: what it is. Its shows come next.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useToast } from "~/design";
import { PageHead } from "../parts";
import { Refused } from "../programme/Refused";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { CINEMA } from "./calls";
import { filmDraft, newFilm } from "./filmDraft";
import { FilmForm } from "./FilmForm";

export function NewFilmPage() {
  const { t } = useTranslation("films");
  const [, go] = useLocation();
  const tell = useToast();
  const { busy, error, save, renew } = useSave(CINEMA);
  return (
    <>
      <PageHead
        title={t("films.new")}
        back={{ href: "/console/cinema", label: t("films.title") }}
      />
      <FilmForm
        begin={filmDraft(null)}
        shown={null}
        busy={busy}
        refused={<Refused error={error} />}
        onChange={renew}
        onSubmit={(draft) =>
          void save(
            (key) => api.POST("/v1/cinema/films", { body: newFilm(draft), key }),
            ({ id }) => {
              tell(t("film.made"));
              go(`/console/cinema/films/${id}`, { replace: true });
            },
          )
        }
      />
    </>
  );
}
