// Changes the rules of a waitlist, at any time until it ends. Who waits keeps place and lot.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Waitlist } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { Button, ErrorNote, useToast } from "~/design";
import { Form } from "../parts";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { listKey } from "./ListActs";
import { type RulesDraft, rulesChange, rulesDraft, rulesFaults } from "./listDraft";
import { RulesFields } from "./RulesFields";

const STALE = ["pages", "/v1/waitlists"] as const;

/** What is typed is for the version that the form was opened with. */
export function ChangeRules({ list, onEnd }: { list: Waitlist; onEnd: () => void }) {
  const { t } = useTranslation("waitlists");
  const tell = useToast();
  const queries = useQueryClient();
  const [before] = useState(list);
  const [draft, setDraft] = useState<RulesDraft>(() => rulesDraft(list));
  const { busy, error, save } = useSave(STALE);
  const change = rulesChange(before, draft);
  const submit = () => {
    if (change === null) return;
    void save(
      () =>
        api.PATCH("/v1/waitlists/{waitlist_id}", {
          path: { waitlist_id: list.id },
          body: { ...change, version: before.version },
        }),
      (changed) => {
        void showChanged(queries, listKey(list.id), changed);
        tell(t("rules.done"));
        onEnd();
      },
    );
  };
  return (
    <Form className="programme-form" busy={busy} onSubmit={submit}>
      <RulesFields
        draft={draft}
        faults={rulesFaults(draft)}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      {error !== null && <ErrorNote error={error} />}
      <div className="console-actions">
        <Button type="submit" busy={busy} disabled={change === null}>
          {t("rules.save")}
        </Button>
        <Button kind="bare" onClick={onEnd}>
          {t("rules.discard")}
        </Button>
      </div>
    </Form>
  );
}
