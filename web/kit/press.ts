// A press: from a finger or a button of the mouse going down to what its click does. What is new waits
// for its end, for a list that moves meanwhile has the press land on something else, or on nothing.

const LONGEST_MS = 3_000; // of some presses, such as on a list of choices, browsers do not tell the end

const down = new Set<number>(); // pointers
let end: () => void = () => undefined;
let over: Promise<void> = Promise.resolve();
let timer = 0;

function begin({ pointerId }: PointerEvent): void {
  down.add(pointerId);
  if (down.size > 1) return;
  over = new Promise((resolve) => { end = resolve; });
  timer = setTimeout(() => { down.clear(); end(); }, LONGEST_MS);
}

function endIfUp(): void {
  if (down.size) return;
  clearTimeout(timer);
  end();
}

addEventListener("pointerdown", begin, true);
for (const last of ["pointerup", "pointercancel"] as const) {
  addEventListener(last, ({ pointerId }) => {
    down.delete(pointerId);
    setTimeout(endIfUp); // a click comes in the same turn, after this
  }, true);
}

export const pressOver = () => over;
