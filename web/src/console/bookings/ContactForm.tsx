// Name, address and number of who a booking is for, put right at the desk.
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PHONE_LENGTH_MAX } from "~/api/phone";
import type { BookingContact, BookingView } from "~/api/schema";
import { Field, Loaded, Note, useToast } from "~/design";
import { regional } from "~/i18n/region";
import { Form, SaveOrBack } from "../parts";
import { SaveRefused } from "../saving/SaveRefused";
import { changed } from "../saving/changes";
import { useChange, versionOf } from "../saving/useChange";
import { api } from "../session";
import { contactOf, faultsOf, tidied, typedOf, type TypedContact } from "./typedContact";

type FormProps = { booking: Pick<BookingView, "id">; onDone: () => void };

export function ContactForm({ booking, onDone }: FormProps) {
  const path = { booking_id: booking.id };
  const key = ["booking", booking.id, "contact"];
  const read = () => api.GET("/v1/bookings/{booking_id}/contact", { path });
  // As it is now, whatever was read when the form was open before.
  const found = useQuery({ queryKey: key, queryFn: read, gcTime: 0 });
  return (
    <Loaded of={found} height="16rem">
      {(now) => <Known {...{ booking, onDone, read }} queryKey={key} found={now} />}
    </Loaded>
  );
}

type KnownProps = FormProps & {
  found: BookingContact;
  queryKey: string[];
  read: () => Promise<BookingContact>;
};

function Known({ booking, found, queryKey, read, onDone }: KnownProps) {
  const { t, i18n } = useTranslation("console");
  const tell = useToast();
  const { began, edition, busy, error, ...form } = useChange(found, {
    stale: ["booking", booking.id],
    key: queryKey,
    read,
    send: (body: Partial<TypedContact>, now) =>
      api.PUT("/v1/bookings/{booking_id}/contact", {
        path: { booking_id: booking.id },
        body: {
          contact: contactOf({ ...typedOf(now), ...body }, now.contact, regional(i18n.language)),
          ...versionOf(now),
        },
      }),
    own: typedOf,
    changeOf: (from, typed: TypedContact) => changed(typedOf(from), tidied(typed)),
  });
  return (
    <Fields
      key={edition}
      {...{ busy, onDone }}
      begin={typedOf(began)}
      refused={<SaveRefused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(typed) =>
        void form.change(typed, () => {
          tell(t("contact.saved"));
          onDone();
        })
      }
    />
  );
}

type FieldsProps = Pick<FormProps, "onDone"> & {
  begin: TypedContact;
  busy: boolean;
  /** Why it was not saved. */
  refused: ReactNode;
  onSubmit: (typed: TypedContact) => void;
};

function Fields({ begin, busy, refused, onSubmit, onDone }: FieldsProps) {
  const { t } = useTranslation("console");
  const [typed, setTyped] = useState(begin);
  // Not while it is being typed.
  const [wasTried, setTried] = useState(false);
  const { isNobody, isEmailWrong, isPhoneWrong } = faultsOf(typed);
  const isElsewhere = begin.email !== "" && typed.email.trim() !== begin.email;
  const put = (part: Partial<TypedContact>) => setTyped({ ...typed, ...part });
  return (
    <Form
      className="console-stack"
      busy={busy}
      onSubmit={() => {
        setTried(true);
        if (!isNobody && !isEmailWrong && !isPhoneWrong) onSubmit(typed);
      }}
    >
      <Field
        label={t("booking.name")}
        autoComplete="off"
        maxLength={200}
        value={typed.name}
        error={wasTried && isNobody ? t("contact.nobody") : null}
        onChange={({ target }) => put({ name: target.value })}
      />
      <Field
        label={t("booking.email")}
        type="email"
        dir="ltr"
        autoComplete="off"
        maxLength={254}
        value={typed.email}
        error={wasTried && isEmailWrong ? t("contact.email_wrong") : null}
        onChange={({ target }) => put({ email: target.value })}
      />
      <Field
        label={t("booking.phone")}
        type="tel"
        dir="ltr"
        autoComplete="off"
        maxLength={PHONE_LENGTH_MAX}
        value={typed.phone}
        error={wasTried && isPhoneWrong ? t("desk.phone_wrong") : null}
        onChange={({ target }) => put({ phone: target.value })}
      />
      {isElsewhere && <Note>{t("contact.links")}</Note>}
      {refused}
      <SaveOrBack save={t("contact.save")} busy={busy} onBack={onDone} />
    </Form>
  );
}
