// Asks before the links to a booking are ended, and ends them.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button, Dialog, ErrorNote } from "~/design";
import { useShop } from "../session";
import { bookingLinks } from "./links";

type Props = { bookingId: string; open: boolean; onClose: () => void; onEnded: () => void };

export function EndLinksDialog({ bookingId, open, onClose, onEnded }: Props) {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () =>
      api.DELETE("/v1/bookings/{booking_id}/links", { path: { booking_id: bookingId } }),
    onSuccess: () => {
      // Who came by the link has ended it for this tab too; the page then says so.
      if (bookingLinks.dropOfPage())
        void queries.resetQueries({ queryKey: ["booking", bookingId] });
      onEnded();
      onClose();
    },
  });
  return (
    <Dialog
      open={open}
      title={t("links.title")}
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {t("links.keep")}
          </Button>
          <Button kind="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
            {t("links.end")}
          </Button>
        </>
      }
    >
      <p>{t("links.text")}</p>
      {ending.error !== null && <ErrorNote error={ending.error} />}
    </Dialog>
  );
}
