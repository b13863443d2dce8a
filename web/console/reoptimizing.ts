// Putting a route into a better order, which can be taken back.
import { t } from "../kit/words";
import { notice, versionOf } from "./day";
import { change, putInOrder } from "./edits";
import { call, send } from "./session";
import { isDone, type Route } from "./shapes";
import { sayNumber } from "./summaries";

// Only done stops are always in front. A locked one may stand anywhere among the open ones, and is
// named as they are: each move then ends at its index of before.
export function putBack(route: Route): Promise<unknown> {
  const first = route.stops.findLastIndex(isDone) + 1;
  return putInOrder(route.id, route.stops.slice(first).map((stop) => stop.id), first);
}

const orderOf = ({ stops }: Route) => stops.map(({ id }) => id).join(" ");
const sayLength = (route: Route) => t("kilometers", { count: sayNumber(route.totalDistanceMeters / 1000) });

// Say what came of it. It does not ask first: it can be taken back.
export async function reoptimize({ id, name }: { id: string; name: string }): Promise<void> {
  let before: Route | undefined;
  let after: Route | undefined;
  const isSame = () => !!before && !!after && orderOf(before) === orderOf(after);
  const isMade = await change({
    name,
    make: async () => {
      const { body, tag } = await call<Route>(`/routes/${id}`);
      before = body;
      after = await send<Route>("POST", `/routes/${id}/reoptimize`, {}, versionOf(id) || tag); // of the order that Undo puts back
    },
    takeBack: () => putBack(before!),
    isNothing: isSame,
  });
  if (isMade) notice.value = isSame() ? t("orderKept", { name }) : t("orderBetter", { name, before: sayLength(before!), after: sayLength(after!) });
}
