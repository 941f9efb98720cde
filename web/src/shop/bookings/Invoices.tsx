// The invoice of a booking: who it is for, as long as that can be said, and the PDFs.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { BillingDetails, BookingView, Invoice } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { Button, ErrorNote, Field, Icon, Note, TextArea, useToast } from "~/design";
import { useShop } from "../session";
import { saveFile } from "./files";

/** Nothing for what was not paid here. */
export function Invoices({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("shop_booking");
  const { api } = useShop();
  const queries = useQueryClient();
  const path = { booking_id: booking.id };
  const key = ["booking", booking.id, "invoices"];
  const state = booking.payment?.state;
  const isPaid = state === "authorized" || state === "captured" || state === "refunded";
  const found = useQuery({
    queryKey: key,
    queryFn: () => api.GET("/v1/bookings/{booking_id}/invoices", { path }),
    enabled: isPaid,
  });
  const opening = useMutation({
    // Asked each time: money that went back since has a credit note by now.
    mutationFn: async (id: string | null) => {
      const { items } = await api.POST("/v1/bookings/{booking_id}/invoices", { path });
      await showChanged(queries, key, { items, next: null });
      const one = items.find((each) => each.id === id) ?? items[0];
      if (one !== undefined) await download(one);
    },
  });
  const download = async (one: Invoice) => {
    const file: unknown = await api.GET(
      "/v1/bookings/{booking_id}/invoices/{invoice_id}/document.pdf",
      { path: { ...path, invoice_id: one.id }, parseAs: "blob" },
    );
    if (file instanceof Blob) saveFile(file, `${one.number.replaceAll("/", "-")}.pdf`);
  };
  if (!isPaid) return null;
  const items = found.data?.items ?? [];
  const notes = items.filter((one) => one.kind === "credit_note");
  const isPending = opening.error instanceof Problem && opening.error.code === "booking_not_paid";
  return (
    <section className="booking-invoice" aria-labelledby="invoice-title">
      <h3 id="invoice-title">{t("invoice.title")}</h3>
      {found.data !== undefined && items.length === 0 && <Billing booking={booking.id} />}
      <div className="booking-invoice-files">
        <Button
          kind="quiet"
          size="small"
          busy={opening.isPending}
          onClick={() => opening.mutate(null)}
        >
          <Icon name="download" size={18} /> {t("invoice.pdf")}
        </Button>
        {notes.map((one) => (
          <Button key={one.id} kind="quiet" size="small" onClick={() => opening.mutate(one.id)}>
            <Icon name="download" size={18} />{" "}
            {t("invoice.credit_note", { number: `\u2068${one.number}\u2069` })}
          </Button>
        ))}
      </div>
      {isPending && <Note>{t("invoice.pending")}</Note>}
      {opening.error !== null && !isPending && <ErrorNote error={opening.error} />}
    </section>
  );
}

function Billing({ booking }: { booking: string }) {
  const { t } = useTranslation("shop_booking");
  const { api } = useShop();
  const path = { booking_id: booking };
  const [open, setOpen] = useState(false);
  const known = useQuery({
    queryKey: ["booking", booking, "billing"],
    queryFn: () => api.GET("/v1/bookings/{booking_id}/billing", { path }),
  });
  if (known.data === undefined) return null;
  return (
    <>
      <p className="field-hint">{t("invoice.once")}</p>
      {open || known.data.company ? (
        <BillingForm booking={booking} known={known.data} />
      ) : (
        <Button kind="bare" size="small" onClick={() => setOpen(true)}>
          {t("invoice.company_open")}
        </Button>
      )}
    </>
  );
}

function BillingForm({ booking, known }: { booking: string; known: BillingDetails }) {
  const { t } = useTranslation("shop_booking");
  const { api } = useShop();
  const tell = useToast();
  const queries = useQueryClient();
  const [company, setCompany] = useState(known.company ?? "");
  const [address, setAddress] = useState(known.address ?? "");
  const [taxNumber, setTaxNumber] = useState(known.tax_number ?? "");
  const said = (text: string) => (text.trim() === "" ? null : text.trim());
  const saving = useMutation({
    mutationFn: () =>
      api.PUT("/v1/bookings/{booking_id}/billing", {
        path: { booking_id: booking },
        body: {
          company: said(company),
          address: said(address.replaceAll("\r\n", "\n")),
          tax_number: said(taxNumber),
        },
      }),
    onSuccess: () => tell(t("invoice.saved")),
    onError: () => void queries.invalidateQueries({ queryKey: ["booking", booking, "invoices"] }),
  });
  const stands = saving.error instanceof Problem && saving.error.code === "invoice_issued";
  return (
    <form
      className="booking-billing"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Field
        label={t("invoice.company")}
        value={company}
        maxLength={80}
        autoComplete="organization"
        onChange={({ target }) => setCompany(target.value)}
      />
      <TextArea
        label={t("invoice.address")}
        value={address}
        rows={3}
        maxLength={300}
        dir="auto"
        autoComplete="street-address"
        onChange={({ target }) => setAddress(target.value)}
      />
      <Field
        label={t("invoice.tax_number")}
        value={taxNumber}
        maxLength={39}
        dir="ltr"
        onChange={({ target }) => setTaxNumber(target.value)}
      />
      <Button type="submit" kind="quiet" size="small" busy={saving.isPending}>
        {t("invoice.save")}
      </Button>
      {stands && <Note>{t("invoice.stands")}</Note>}
      {saving.error !== null && !stands && <ErrorNote error={saving.error} />}
    </form>
  );
}
