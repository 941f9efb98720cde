// Makes the copies of a date, all or none, and says how many were made. What was there already is not
// made again, so that a lost reply can be answered by asking once more.
import type { Performance } from "~/api/schema";
import { api } from "../session";

export async function makeCopies(
  of: Performance,
  times: readonly string[],
  isPublished: boolean,
): Promise<number> {
  const copies = await api.POST("/v1/programme/performances/{performance_id}/copies", {
    path: { performance_id: of.id },
    body: { starts_at: [...times], published: isPublished },
  });
  return copies.made;
}
