// The waiting rooms of the console. One entry, so that its words are loaded once for all of its pages.
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "~/design";
import "../programme/programme.css";
import { NewRoomPage } from "./NewRoomPage";
import { RoomPage } from "./RoomPage";
import { RoomsPage } from "./RoomsPage";
import "./waitingRooms.css";

export default function WaitingRoomsPages() {
  const { ready } = useTranslation("waiting_rooms");
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <Switch>
      <Route path="/console/waiting-rooms" component={RoomsPage} />
      <Route path="/console/waiting-rooms/new" component={NewRoomPage} />
      <Route path="/console/waiting-rooms/:room">
        {({ room }) => <RoomPage key={room} id={room} />}
      </Route>
      <Redirect to="/console/waiting-rooms" replace />
    </Switch>
  );
}
