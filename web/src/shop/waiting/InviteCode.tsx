// The field for an invitation code: for who has not joined, and for who stands in another queue.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field, useProblemWords } from "~/design";
import { CODE_MAX } from "./inviteCodes";
import type { useJoin, useTypedCode } from "./joining";

type CodeProps = {
  join: ReturnType<typeof useJoin>;
  code: ReturnType<typeof useTypedCode>;
  /** It is what there is to do here. */
  isAsked: boolean;
  /** There is a place already, which goes. */
  hasPlace: boolean;
};

export function InviteCode({ join, code, isAsked, hasPlace }: CodeProps) {
  const { t } = useTranslation("shop_waiting");
  const words = useProblemWords();
  const { typed, onType } = code;
  const text = typed.trim();
  // Whoever has just joined with it is done with it.
  const [isOpen, setOpen] = useState(text !== "" && text !== join.variables);
  const isRefused = join.isError && join.variables !== undefined;
  const form = (
    <form
      className="waiting-code"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (text === "" || join.isPending) return;
        join.mutate(text, {
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
          busy={join.isPending && join.variables !== undefined}
          disabled={text === ""}
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
