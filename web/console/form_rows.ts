// Rows of a form that come and go, and the times of day in them.
import { sayClock, type TimeOfDay } from "../kit/times";

export const clockOf = (time: TimeOfDay | undefined) => (time ? sayClock(time) : "");

export function timeOf(clock: string): TimeOfDay {
  const [hours, minutes] = clock.split(":").map(Number);
  return { hours: hours!, minutes: minutes!, seconds: 0 };
}

export const replaced = <T,>(list: T[], at: number, part: Partial<T>) => list.map((one, index) => (index === at ? { ...one, ...part } : one));
export const without = <T,>(list: T[], at: number) => list.filter((_, index) => index !== at);
