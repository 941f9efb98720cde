// The order of pictures.

/** The list with one of its entries a place earlier or later. */
export function movedPicture<Picture>(
  pictures: readonly Picture[],
  at: number,
  by: -1 | 1,
): readonly Picture[] {
  const [one, other] = [pictures[at], pictures[at + by]];
  if (one === undefined || other === undefined) return pictures;
  return pictures.with(at, other).with(at + by, one);
}
