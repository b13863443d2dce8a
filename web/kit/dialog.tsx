// A modal dialog as browsers have it: the rest of the page is inert, Escape closes, and the focus
// goes back to where it was. Browsers close it at a second Escape whatever the page says: what may not
// be closed is opened again.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, close, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => { if (before instanceof HTMLElement) before.focus(); };
  }, []);
  return (
    <dialog ref={element} class={wide ? "wide" : ""} aria-labelledby={id}
      onCancel={(event) => { event.preventDefault(); close(); }}
      onClose={(event) => { if (event.currentTarget.isConnected) event.currentTarget.showModal(); }}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
