/** Somebody else has changed the same: what was typed is not sent, and what they said is not taken away,
 * before one knows. */
export class ChangedMeanwhile extends Error {
  constructor(readonly isToGo = false) {
    super();
  }
}
