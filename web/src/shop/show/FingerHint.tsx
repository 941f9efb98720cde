// How a room is moved by fingers, told once: until it is closed, or something was chosen.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";

const KEPT_AS = "bespeak.finger-hint";
const FINGERS = "(pointer: coarse)";

const mayShow = () =>
  localStorage.getItem(KEPT_AS) === null && globalThis.matchMedia(FINGERS).matches;

export function FingerHint({ isUsed }: { isUsed: boolean }) {
  const { t } = useTranslation("shop");
  const [isShown, show] = useState(mayShow);
  useEffect(() => {
    if (isUsed && isShown) localStorage.setItem(KEPT_AS, "seen");
  }, [isUsed, isShown]);
  if (!isShown || isUsed) return null;
  const close = () => {
    localStorage.setItem(KEPT_AS, "seen");
    show(false);
  };
  return (
    <p className="show-hint">
      <span>{t("fingers.text")}</span>
      <button type="button" aria-label={t("fingers.close")} onClick={close}>
        <Icon name="close" size={18} />
      </button>
    </p>
  );
}
