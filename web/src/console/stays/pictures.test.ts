// Pictures change places with their neighbours, and stay at the ends.
import { expect, it } from "vitest";
import { movedPicture } from "./pictures";

it("moves a picture by one place, and not beyond the ends", () => {
  expect(movedPicture(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
  expect(movedPicture(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
  expect(movedPicture(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
  expect(movedPicture(["a", "b", "c"], 2, 1)).toEqual(["a", "b", "c"]);
});
