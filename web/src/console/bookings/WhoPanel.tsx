// Who a booking is for, and what else it is known by. Who may sell puts name, address and number right.
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { phoneHref } from "~/api/phone";
import type { BookingView, Contact } from "~/api/schema";
import { Button } from "~/design";
import { CopyText, Panel } from "../parts";
import { useMay } from "../session";
import { Consents } from "./Consents";
import { ContactForm } from "./ContactForm";
import { MailAndLinks } from "./MailAndLinks";
import { OwnerData } from "./OwnerData";

type WhoProps = {
  booking: BookingView;
  /** Null of a booking without one; undefined while nobody knows. */
  contact: Contact | null | undefined;
};

export function WhoPanel({ booking, contact }: WhoProps) {
  const { t } = useTranslation("console");
  const [isOpen, setOpen] = useState(false);
  const maySell = useMay("sell");
  const mayErase = useMay("personal_data");
  return (
    <Panel
      title={t("booking.who")}
      actions={
        maySell &&
        contact !== undefined &&
        !isOpen && (
          <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
            {t("contact.change")}
          </Button>
        )
      }
    >
      {isOpen ? (
        <ContactForm booking={booking} onDone={() => setOpen(false)} />
      ) : (
        <>
          <dl className="console-pairs">
            {contact && (
              <>
                <Pair name={t("booking.name")}>{contact.name ?? "–"}</Pair>
                {contact.email && <Pair name={t("booking.email")}>{contact.email}</Pair>}
                {contact.phone && (
                  <Pair name={t("booking.phone")}>
                    <a href={phoneHref(contact.phone)} dir="ltr">
                      {contact.phone}
                    </a>
                  </Pair>
                )}
              </>
            )}
            <Pair name={t("booking.owner")}>
              <code dir="ltr">{booking.owner}</code>
            </Pair>
          </dl>
          {contact !== undefined && !contact?.email && (
            <p className="console-quiet">{t("booking.no_mail")}</p>
          )}
        </>
      )}
      <CopyText text={booking.code} label={t("booking.code")} />
      <Consents booking={booking.id} />
      <CopyText text={booking.id} label={t("booking.id")} />
      {maySell && <MailAndLinks booking={booking} hasAddress={Boolean(contact?.email)} />}
      {mayErase && <OwnerData owner={booking.owner} booking={booking.id} />}
    </Panel>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
