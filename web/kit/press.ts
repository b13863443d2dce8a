// A press: from a finger or a button of the mouse going down to what its click does. What is new waits
// for its end, for a list that moves meanwhile has the press land on something else, or on nothing.

const LONGEST_MS = 3_000; // of some presses, such as on a list of choices, browsers do not tell the end

let end: () => void = () => undefined;
let over: Promise<void> = Promise.resolve();

function begin(): void {
  end();
  over = new Promise((resolve) => {
    end = resolve;
    setTimeout(resolve, LONGEST_MS);
  });
}

addEventListener("pointerdown", begin, true);
// A click comes in the same turn, after this.
for (const last of ["pointerup", "pointercancel"]) addEventListener(last, () => setTimeout(() => end()), true);

export const pressOver = () => over;
