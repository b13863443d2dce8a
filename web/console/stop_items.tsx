// A stop in a list: its name leads to it, and it can be lifted or moved without dragging.
import type { ComponentChildren } from "preact";
import { isNowhere } from "../kit/nowhere";
import { t } from "../kit/words";
import { isDoubtful } from "./day";
import { openDialog, MoveDialog } from "./dialogs";
import { dropTarget, lift, letGo } from "./dragging";
import { grasp, type MovedStop } from "./edits";
import { isSelected, toggle } from "./selection";
import { sayNowhere } from "./shapes";
import { isViewer } from "./session";

interface DoubtProps { matchType: string | null | undefined; latitude?: number | undefined; longitude?: number | undefined }

export function Doubt({ matchType, latitude, longitude }: DoubtProps) {
  if (isNowhere(latitude, longitude)) return <small class="warn">{t("howFound")}: {sayNowhere()}</small>;
  return isDoubtful(matchType) ? <small class="warn">{t("howFound")}: {t("matchLocality")}</small> : null;
}

interface StopItemProps { moved: MovedStop; name: string; href: string; mayMove?: boolean; isLate?: boolean; number?: number; gap?: { routeId: string; index: number }; children?: ComponentChildren }

export function StopItem({ moved, name, href, mayMove = true, isLate = false, number, gap, children }: StopItemProps) {
  const isMovable = mayMove && !isViewer.value;
  return (
    <li class={isLate ? "stop late" : "stop"} draggable={isMovable} data-stop={moved.id} {...(gap && dropTarget(gap.routeId, gap.index))}
      onDragStart={(event) => { event.dataTransfer?.setData("text/plain", name); lift(moved); }} onDragEnd={letGo}>
      {isMovable && <input type="checkbox" class="pick" aria-label={t("selectStop", { name })} checked={isSelected(moved.id)}
        onClick={(event) => { toggle(moved.id, event.shiftKey); event.currentTarget.checked = isSelected(moved.id); }} />}
      {number !== undefined && <b class="number">{number}</b>}
      <div class="what"><a href={href}>{name}</a>{children}</div>
      {isMovable && <button type="button" class="quiet" data-action="move" onClick={() => openDialog(<MoveDialog stop={grasp(moved)} name={name} />)}>{t("moveTo")}</button>}
    </li>
  );
}
