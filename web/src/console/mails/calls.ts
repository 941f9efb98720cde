// What the page of the mails reads, and under which keys.
import type { MailTextView } from "~/api/schema";
import { api } from "../session";

export const MAIL_TEXTS = ["mail-texts"];

export const readMailTexts = () => api.GET("/v1/mail-texts");

/** The texts of one kind in one language, as they are now. */
export async function readMailText(
  kind: MailTextView["kind"],
  language: MailTextView["language"],
): Promise<MailTextView> {
  const { items } = await readMailTexts();
  const found = items.find((one) => one.kind === kind && one.language === language);
  if (found === undefined) throw new Error(`there is no mail ${kind} in ${language}`);
  return found;
}
