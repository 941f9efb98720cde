// The cinema's part of the shop: pages, city select, and details of shows.
import { lazy } from "react";
import type { ShopVertical } from "../verticals";
import { CityPicker } from "./CityPicker";
import { HomePage } from "./HomePage";
import { ShowHeading, ShowSummary } from "./ShowHeading";
import { hasShows, isShowCalledOff } from "./catalog";
import "./words";

const loadFilm = () => import("./FilmPage");
const FilmPage = lazy(loadFilm);

export const vertical: ShopVertical = {
  routes: [
    { path: "/", page: HomePage },
    {
      path: "/films/:film",
      page: ({ params }) => <FilmPage filmId={params["film"] ?? ""} />,
      load: loadFilm,
    },
  ],
  isOpen: hasShows,
  HeaderSlot: CityPicker,
  kinds: ["show"],
  ResourceHeading: ShowHeading,
  ResourceSummary: ShowSummary,
  isCalledOff: isShowCalledOff,
};
