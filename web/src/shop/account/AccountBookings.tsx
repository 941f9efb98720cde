// The bookings of an address together, and to sign out.
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { BY_PAGE } from "~/api/pages";
import { Button, EmptyState, ErrorNote, Loaded, useNow } from "~/design";
import { BookingList, splitByTime } from "../bookings/MyBookingsPage";
import { bookingLinks } from "../bookings/links";
import { useShop } from "../session";

const QUERY = ["account", "bookings"];

export function AccountBookings({ email }: { email: string }) {
  const { t } = useTranslation("shop");
  const { api, behindMs } = useShop();
  const queries = useQueryClient();
  const now = useNow(60_000);
  const found = useInfiniteQuery({
    queryKey: QUERY,
    ...BY_PAGE,
    queryFn: async ({ pageParam }) => {
      const page = await api.GET("/v1/box-office/account/bookings", { query: pageParam });
      // Each opens by its own link, and by nothing more.
      bookingLinks.keep(page.items.map(({ listed, link }) => [listed.booking.id, link] as const));
      return page;
    },
  });
  const leaving = useMutation({
    mutationFn: () => api.DELETE("/v1/box-office/account"),
    onSuccess: () => {
      bookingLinks.clear();
      queries.removeQueries({ queryKey: QUERY });
      void queries.invalidateQueries({ queryKey: ["account"] });
    },
  });
  const items = (found.data?.pages ?? []).flatMap((page) => page.items.map((one) => one.listed));
  const { coming, past } = splitByTime(items, now + behindMs);
  return (
    <>
      <p className="find-who">
        <span>
          {t("find.signed_in")} <bdi>{email}</bdi>
        </span>
        <Button kind="quiet" size="small" busy={leaving.isPending} onClick={() => leaving.mutate()}>
          {t("find.sign_out")}
        </Button>
      </p>
      {leaving.error !== null && <ErrorNote error={leaving.error} />}
      <Loaded of={found} height="10rem" />
      {found.isSuccess && items.length === 0 && (
        <EmptyState title={t("bookings.empty")}>
          <p>{t("find.none")}</p>
        </EmptyState>
      )}
      <BookingList title={t("bookings.coming")} items={coming} />
      <BookingList title={t("bookings.past")} items={past} />
      {found.hasNextPage && (
        <p>
          <Button
            kind="quiet"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("bookings.more")}
          </Button>
        </p>
      )}
    </>
  );
}
