// The field for an invitation code: for who has not joined, and for who stands in another queue.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field, useProblemWords } from "~/design";
import { CODE_MAX } from "./inviteCodes";
import type { useJoin } from "./joining";

type CodeProps = {
  join: ReturnType<typeof useJoin>;
  typed: string;
  onType: (typed: string) => void;
  /** It is what there is to do here. */
  isAsked: boolean;
  /** There is a place already, which goes. */
  hasPlace: boolean;
};

export function InviteCode({ join, typed, onType, isAsked, hasPlace }: CodeProps) {
  const { t } = useTranslation("shop_waiting");
  const words = useProblemWords();
  const [isOpen, setOpen] = useState(isAsked || typed !== "");
  const code = typed.trim();
  const isRefused = join.isError && join.variables !== undefined;
  const form = (
    <form
      className="waiting-code"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (code === "" || join.isPending) return;
        join.mutate(code, {
          onSuccess: () => {
            onType("");
            setOpen(false);
          },
        });
      }}
    >
      <Field
        label={t("code.label")}
        hint={t(hasPlace ? "code.hint_place" : "code.hint")}
        value={typed}
        maxLength={CODE_MAX}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={isRefused ? words(join.error) : null}
        onChange={({ target }) => onType(target.value)}
      />
      <div className="waiting-actions">
        <Button
          type="submit"
          kind={isAsked ? "primary" : "quiet"}
          busy={join.isPending}
          disabled={code === ""}
        >
          {t("code.join")}
        </Button>
      </div>
    </form>
  );
  if (isAsked) return form;
  return (
    <details
      className="waiting-more"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t("code.have")}</summary>
      {form}
    </details>
  );
}
