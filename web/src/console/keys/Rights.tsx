// What a new key may, where, and until when.
import { useTranslation } from "react-i18next";
import type { ApiKey } from "~/api/schema";
import { Field } from "~/design";
import { BoundsField } from "../parts/BoundsField";
import { boundsOf } from "../parts/bounds";

type Scope = ApiKey["scopes"][number];
const SCOPES: readonly Scope[] = [
  "read",
  "sell",
  "check_in",
  "refund",
  "personal_data",
  "manage",
  "admin",
];

export type Rights = {
  readonly scopes: readonly Scope[];
  readonly where: string;
  readonly until: string;
};

/** The rights of a form, which has the scopes as one text. */
export function rightsTyped(typed: { scopes: string; where: string; until: string }): Rights {
  const chosen = typed.scopes.split(" ");
  return { ...typed, scopes: SCOPES.filter((one) => chosen.includes(one)) };
}

/** Whether a key with these rights can be asked for. */
export function areRights(kind: ApiKey["kind"], { scopes, where }: Rights): boolean {
  return kind !== "restricted" || (scopes.length > 0 && boundsOf(where) !== null);
}

/** As the API takes it. */
export function rightsOf(kind: ApiKey["kind"], { scopes, where, until }: Rights) {
  return {
    ...(kind === "restricted" ? { scopes: [...scopes], ...boundsOf(where) } : {}),
    ...(until ? { expires_at: new Date(`${until}T00:00`).toISOString() } : {}),
  };
}

type RightsProps = {
  isRestricted: boolean;
  rights: Rights;
  onChange: (rights: Rights) => void;
};

export function RightsFields({ isRestricted, rights, onChange }: RightsProps) {
  const { t } = useTranslation("console");
  return (
    <>
      {isRestricted && <Ticks {...{ rights, onChange }} />}
      {isRestricted && (
        <BoundsField value={rights.where} onChange={(where) => onChange({ ...rights, where })} />
      )}
      <Field
        label={t("keys.expires")}
        hint={t("keys.expires_hint")}
        type="date"
        value={rights.until}
        onChange={(event) => onChange({ ...rights, until: event.target.value })}
      />
    </>
  );
}

function Ticks({ rights, onChange }: Omit<RightsProps, "isRestricted">) {
  const { t } = useTranslation("console");
  const change = (scope: Scope, isTicked: boolean) => {
    const scopes = SCOPES.filter((one) => (one === scope ? isTicked : rights.scopes.includes(one)));
    onChange({ ...rights, scopes });
  };
  return (
    <fieldset className="console-ticks">
      <legend>{t("keys.may")}</legend>
      {SCOPES.map((scope) => (
        <label key={scope} data-chosen={rights.scopes.includes(scope) || undefined}>
          <input
            type="checkbox"
            checked={rights.scopes.includes(scope)}
            onChange={(event) => change(scope, event.target.checked)}
          />
          <span>{t(`keys.scopes.${scope}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
