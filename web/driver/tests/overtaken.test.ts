// What a phone has told of tasks and an answer about the route denies.
import { expect, it } from "vitest";
import { deniedBy } from "../overtaken";
import type { Deed, Route, Stop, Task } from "../shapes";
import type { Settled } from "../stored";

const task = (id: string, type: string, value: string, items: Record<string, boolean> = {}): Task => ({
  id, title: id, type, items: Object.entries(items).map(([item, completed]) => ({ id: item, title: item, completed })), ...(value ? { input: { value } } : {}),
  requiredToMarkStopAsDelivered: false, requiredToMarkStopAsAttempted: false,
});
const routeWith = (...tasks: Task[]): Route => ({
  id: "r", name: "R", note: "", start: { status: "STARTED", tasks: [] }, end: { status: "UNKNOWN", tasks: tasks.slice(1) }, totalDistanceMeters: 0, stops: [{ id: "s", tasks: tasks.slice(0, 1) } as unknown as Stop],
});
const told = (...deeds: Omit<Deed, "routeId">[]): Settled[] => deeds.map((deed, index) => ({
  id: `${index + 1}`, action: { ...deed, routeId: "r", id: `${index + 1}`, sequence: index + 1, at: "" }, result: { id: "", outcome: "APPLIED", reason: "", message: "" }, isShown: true, settledAt: 0,
}));
const answer = (taskId: string, value: string) => ({ kind: "TASK_COMPLETED", taskId, value });
const mark = (taskId: string, itemId: string, completed = true) => ({ kind: "TASK_ITEM_COMPLETED", taskId, itemId, completed });

it("names the answer to a task that is another one now, at a stop or an end, and no earlier one", () => {
  const route = routeWith(task("meter", "TEXT_INPUT", "4712"), task("seal", "TEXT_INPUT", "A1"));
  expect(deniedBy(route, told(answer("meter", "4710"), answer("meter", "4711"), answer("seal", "A1")))).toEqual(["2"]);
  expect(deniedBy(route, told(answer("meter", "4712"), answer("seal", "B2")))).toEqual(["2"]);
});

it("names the button that was let go of and the box that was unticked, and what was chosen last alone", () => {
  const route = routeWith(task("colour", "RADIO_BUTTONS", "", { red: false, blue: true, green: false }), task("checks", "CHECKBOXES", "", { cold: false, dry: true }));
  expect(deniedBy(route, told(mark("colour", "red"), mark("colour", "green"), mark("checks", "cold"), mark("checks", "dry")))).toEqual(["2", "3"]);
  expect(deniedBy(route, told(mark("colour", "red"), mark("colour", "blue"), mark("checks", "cold", false)))).toEqual([]);
});

it("names nothing about a task that is no longer on the route", () => {
  expect(deniedBy(routeWith(task("meter", "TEXT_INPUT", "")), told(answer("gone", "1"), mark("gone", "red")))).toEqual([]);
});
