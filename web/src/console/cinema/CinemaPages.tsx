// The cinema in the console: films and their shows, cities, cinemas and screens. One entry, so that its words are loaded once for all of
// its pages.
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "~/design";
import { CinemaPage } from "./CinemaPage";
import { CinemasPage } from "./CinemasPage";
import { CityPage } from "./CityPage";
import { FilmPage } from "./FilmPage";
import { FilmsPage } from "./FilmsPage";
import { NewCinemaPage } from "./NewCinemaPage";
import { NewCityPage } from "./NewCityPage";
import { NewFilmPage } from "./NewFilmPage";
import { NewScreenPage } from "./NewScreenPage";
import { NewShowsPage } from "./NewShowsPage";
import { ScreenPage } from "./ScreenPage";
import "../programme/programme.css";

export default function CinemaPages() {
  const { ready } = useTranslation(["films", "programme"]);
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <Switch>
      <Route path="/console/cinema" component={FilmsPage} />
      <Route path="/console/cinema/new" component={NewFilmPage} />
      <Route path="/console/cinema/films/:film">
        {({ film }) => <FilmPage key={film} id={film} />}
      </Route>
      <Route path="/console/cinema/films/:film/new-shows">
        {({ film }) => <NewShowsPage key={film} film={film} />}
      </Route>
      <Route path="/console/cinema/screens" component={CinemasPage} />
      <Route path="/console/cinema/screens/:screen">
        {({ screen }) => <ScreenPage key={screen} id={screen} />}
      </Route>
      <Route path="/console/cinema/cities/new" component={NewCityPage} />
      <Route path="/console/cinema/cities/:city">
        {({ city }) => <CityPage key={city} id={city} />}
      </Route>
      <Route path="/console/cinema/cinemas/new" component={NewCinemaPage} />
      <Route path="/console/cinema/cinemas/:cinema">
        {({ cinema }) => <CinemaPage key={cinema} id={cinema} />}
      </Route>
      <Route path="/console/cinema/cinemas/:cinema/new-screen">
        {({ cinema }) => <NewScreenPage key={cinema} cinema={cinema} />}
      </Route>
      <Redirect to="/console/cinema" replace />
    </Switch>
  );
}
