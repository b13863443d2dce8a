// Who drives a route and with what, and whether it is put away: each can be taken back.
import { Refusal } from "../kit/http";
import { t } from "../kit/words";
import { notice, versionOf } from "./day";
import { change, idNow, pairing } from "./edits";
import { call, send } from "./session";
import type { Route } from "./shapes";

interface Named { id: string; name: string }

/** Give a route a driver or a vehicle, or none. What somebody else has given it since stays. */
export function assign({ id, name }: Named, kind: "driver" | "vehicle", chosen: string): Promise<boolean> {
  const made = pairing();
  let before = "";
  const path = () => `/routes/${idNow(id)}`;
  const read = async () => { const { body, tag } = await call<Route>(path()); return { given: body[kind]?.id ?? "", tag }; };
  const give = async (one: string, version: string) => {
    const { tag } = await call<Route>(`${path()}/${kind}`, one ? { method: "PUT", body: { [`${kind}Id`]: one }, version } : { method: "DELETE", version });
    made(idNow(id), tag);
  };
  return change({
    name,
    isNothing: () => before === chosen,
    make: async () => {
      const { given, tag } = await read();
      before = given;
      await give(chosen, versionOf(idNow(id)) || tag);
    },
    takeBack: async () => {
      const { given, tag } = await read();
      if (given === before) return; // its answer was lost
      if (given !== chosen) throw new Refusal("conflict", "");
      await give(before, tag);
    },
  });
}

const put = ({ id }: Named, isAway: boolean) => send(isAway ? "POST" : "DELETE", `/routes/${idNow(id)}/archive`);

/** Put a route away, or take it out again. */
export async function archive(route: Named, isAway: boolean): Promise<boolean> {
  const isMade = await change({ name: route.name, make: () => put(route, isAway), takeBack: () => put(route, !isAway) });
  if (isMade) notice.value = `${route.name}: ${t(isAway ? "archived" : "historyUnarchived")}`;
  return isMade;
}
