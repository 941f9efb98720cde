// The first picture of a place to stay, small; where it has none, one is drawn by its kind. Its room is kept before
// it is there.
import type { FoundListing } from "~/api/schema";
import { StayPicture } from "./StayPicture";
import type { PropertyKind } from "./words";

type FirstPictureProps = {
  picture: FoundListing["picture"];
  kind: PropertyKind;
  of: string;
};

export function FirstPicture({ picture, kind, of }: FirstPictureProps) {
  if (!picture) return <StayPicture kind={kind} of={of} />;
  return (
    <img
      className="stay-picture"
      src={`${picture.path}?size=card`}
      // Beside it is what it shows; only what somebody wrote about it says more.
      alt={picture.description}
      width={picture.width}
      height={picture.height}
      loading="lazy"
      decoding="async"
    />
  );
}
