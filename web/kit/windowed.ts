// Long lists: what nobody has come near is not made yet. What was made stays, so that nothing that has
// the focus or is being dragged goes away.
import { useEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

/** Whether an element has been on the screen, from the start where `isEager`. */
export function useSeen<T extends Element>(isEager: boolean): [boolean, RefObject<T | null>] {
  const [wasSeen, setSeen] = useState(isEager);
  const element = useRef<T>(null);
  useEffect(() => {
    if (wasSeen || !element.current) return;
    const watched = new IntersectionObserver((entries) => { if (entries.some((one) => one.isIntersecting)) setSeen(true); });
    watched.observe(element.current);
    return () => { watched.disconnect(); };
  }, [wasSeen]);
  return [wasSeen || isEager, element];
}

/** How many rows to make of so many; the element stands for the rest, and more are made when it is seen. */
export function useGrowing<T extends Element>(total: number, atOnce: number): [number, RefObject<T | null>] {
  const [more, setMore] = useState(0); // beside those that are made at once, which may become fewer
  const rest = useRef<T>(null);
  const made = atOnce + more;
  useEffect(() => {
    if (made >= total || !rest.current) return;
    const watched = new IntersectionObserver((entries) => { if (entries.some((one) => one.isIntersecting)) setMore(more + atOnce); });
    watched.observe(rest.current);
    return () => { watched.disconnect(); };
  }, [made, more, total, atOnce]);
  return [Math.min(made, total), rest];
}
