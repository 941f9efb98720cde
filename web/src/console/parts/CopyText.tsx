// A text that is shown only once, or that people need elsewhere, with a button that copies it.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Icon } from "~/design";

export function CopyText({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation("console");
  const [done, setDone] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      // Without clipboard access the text can still be selected.
      () => setDone(false),
    );
  };
  return (
    <div className="console-copy">
      <code dir="ltr" aria-label={label}>
        {text}
      </code>
      <Button kind="quiet" size="small" onClick={copy}>
        <Icon name={done ? "check" : "copy"} size={16} />
        {done ? t("copy.done") : t("copy.do")}
      </Button>
    </div>
  );
}
