// The logo: shown, replaced by a file, or taken away. It is saved at once, apart from the form.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MerchantView } from "~/api/schema";
import { Button, ErrorNote, useToast } from "~/design";
import { api } from "../session";
import { base64 } from "./base64";

const BYTES_MAX = 2_000_000;

type LogoFieldProps = { merchant: MerchantView; onSaved: (merchant: MerchantView) => void };

export function LogoField({ merchant, onSaved }: LogoFieldProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isLarge, setLarge] = useState(false);
  const save = async (call: Promise<MerchantView>) => {
    setBusy(true);
    setError(null);
    try {
      onSaved(await call);
      tell(t("merchant.saved"));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const choose = (chosen: File | undefined) => {
    if (file.current !== null) file.current.value = "";
    if (chosen === undefined) return;
    setLarge(chosen.size > BYTES_MAX);
    if (chosen.size > BYTES_MAX) return;
    void save(
      base64(chosen).then((picture) => api.PUT("/v1/merchant/logo", { body: { picture } })),
    );
  };
  return (
    <div className="field">
      <span id="logo-label">{t("merchant.logo")}</span>
      <div className="merchant-logo" role="group" aria-labelledby="logo-label">
        {merchant.logo !== null && <img src={merchant.logo.url} alt={t("merchant.logo_now")} />}
        <input
          ref={file}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t("merchant.logo_file")}
          onChange={({ target }) => choose(target.files?.[0])}
        />
        <Button kind="quiet" size="small" busy={busy} onClick={() => file.current?.click()}>
          {t(merchant.logo === null ? "merchant.logo_add" : "merchant.logo_new")}
        </Button>
        {merchant.logo !== null && (
          <Button
            kind="bare"
            size="small"
            busy={busy}
            onClick={() => void save(api.DELETE("/v1/merchant/logo"))}
          >
            {t("merchant.logo_remove")}
          </Button>
        )}
      </div>
      <span className="field-hint">{t("merchant.logo_hint")}</span>
      {isLarge && (
        <span className="field-error" role="alert">
          {t("merchant.logo_large")}
        </span>
      )}
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
