// Milliseconds that go on evenly while the app is open, whatever becomes of the phone's clock: what
// is measured by them is short, and begins anew with the app.
const began = Date.now() - performance.now();

export const steadyNow = (): number => began + performance.now();
