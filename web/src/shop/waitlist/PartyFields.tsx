// How many they are, and what of it they want. A choice that has less than was asked for lowers the number.
import { useTranslation } from "react-i18next";
import type { PublicWaitlist, Resource } from "~/api/schema";
import { Select } from "~/design";
import { number } from "~/i18n/format";
import { useNamed } from "../vocabulary";
import { askedOf, choicesOf, partyMax } from "./choices";

const PARTY_MAX = 10;

export type PartyOf = { readonly party: number; readonly choice: string };

type FieldsProps = {
  resource: Resource;
  list: PublicWaitlist;
  /** A rate of times, which not everybody gives. */
  rate?: string;
  of: PartyOf;
  onChange: (of: PartyOf) => void;
};

export function PartyFields({ resource, list, rate = "", of, onChange }: FieldsProps) {
  const { t } = useTranslation("shop_waitlist");
  const named = useNamed();
  const choices = choicesOf(resource, rate);
  const bound = Math.min(PARTY_MAX, list.party_max);
  const most = (choice: string) => partyMax(resource, choice, bound, rate);
  const words =
    askedOf(resource) === "times" ? "times" : resource.plan.type === "pools" ? "pools" : "";
  const context = words === "" ? {} : { context: words };
  return (
    <>
      <PartySelect
        label={t("party")}
        value={of.party}
        most={most(of.choice)}
        onChange={(party) => onChange({ ...of, party })}
      />
      {choices.length > 1 && (
        <Select
          label={t("category", context)}
          value={of.choice}
          onChange={({ target: { value: choice } }) =>
            onChange({ choice, party: Math.min(of.party, most(choice)) })
          }
        >
          <option value="">{t("any", context)}</option>
          {choices.map(({ name }) => (
            <option key={name} value={name}>
              {named(name)}
            </option>
          ))}
        </Select>
      )}
    </>
  );
}

type SelectProps = {
  label: string;
  value: number;
  most: number;
  onChange: (value: number) => void;
};

export function PartySelect({ label, value, most, onChange }: SelectProps) {
  return (
    <Select label={label} value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {Array.from({ length: most }, (_, index) => (
        <option key={index} value={index + 1}>
          {number(index + 1)}
        </option>
      ))}
    </Select>
  );
}
