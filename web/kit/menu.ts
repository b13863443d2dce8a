// A menu that closes as people expect: by Escape, and by a press anywhere else.
import { useLayoutEffect, useState } from "preact/hooks";

export function useMenu(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const byKey = (event: KeyboardEvent) => { if (event.key === "Escape") setOpen(false); };
    const byPress = (event: PointerEvent) => { if (!(event.target as Element).closest(".menu-holder")) setOpen(false); };
    addEventListener("keydown", byKey);
    addEventListener("pointerdown", byPress);
    return () => { removeEventListener("keydown", byKey); removeEventListener("pointerdown", byPress); };
  }, [isOpen]);
  return [isOpen, setOpen];
}
