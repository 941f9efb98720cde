// The way to go on waiting on another device: a link with the token in its fragment, also as a picture
// that a phone reads.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field, Icon } from "~/design";
import { linkWith } from "./keptTokens";

export function OtherDevice({ roomId, token }: { roomId: string; token: string }) {
  const { t } = useTranslation("shop_waiting");
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card waiting-more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("device.title")}</summary>
      {isOpen && <DeviceLink link={linkWith(roomId, token)} />}
    </details>
  );
}

function DeviceLink({ link }: { link: string }) {
  const { t } = useTranslation("shop_waiting");
  const [isCopied, setCopied] = useState(false);
  const picture = useQuery({
    queryKey: ["queue-link", link],
    staleTime: Infinity,
    queryFn: async () => {
      const { encodeQR } = await import("qr");
      return `data:image/svg+xml,${encodeURIComponent(encodeQR(link, "svg", { border: 2 }))}`;
    },
  });
  const copy = () => {
    navigator.clipboard.writeText(link).then(
      () => setCopied(true),
      // Without clipboard access the text can still be selected.
      () => setCopied(false),
    );
  };
  return (
    <div className="waiting-device">
      {picture.data !== undefined && (
        <img src={picture.data} alt={t("device.picture")} width={180} height={180} />
      )}
      <div className="waiting-stack">
        <p>{t("device.text")}</p>
        <Field label={t("device.link")} value={link} readOnly dir="ltr" />
        <div>
          <Button kind="quiet" size="small" onClick={copy}>
            <Icon name={isCopied ? "check" : "copy"} size={16} />
            {t(isCopied ? "device.copied" : "device.copy")}
          </Button>
        </div>
      </div>
    </div>
  );
}
