// Whose journal is open on this phone. A journal is one driver's, with the files that it names and
// what became of it: what one driver recorded never goes out as another's. Whoever signs in gets a
// journal of their own; one that still holds something is put aside until that is sent or its driver
// signs in here again. Each is a database, so nothing is copied, which a full phone could not do.
import { Store } from "./store";
import type { Journal, Registry, Session } from "./stored";

const FIRST = "roundsman-driver"; // phones have had it since before there were several
const NONE_ASIDE: Registry = { current: FIRST, aside: {} };

// Positions go along by themselves: whoever waits for the rest to be sent need not count them.
export const waitingActions = ({ actions }: Pick<Journal, "actions">) => actions.filter(({ action }) => action.kind !== "POSITION");
export const waitingPictures = ({ files }: Pick<Journal, "files">) => files.filter(({ isComplete, trouble }) => !isComplete && !trouble);

// A picture and the action that names it are one thing to whoever reads how many there are.
export function countWaiting({ actions, files }: Pick<Journal, "actions" | "files">): number {
  const waiting = waitingActions({ actions });
  const named = new Set(waiting.map(({ action }) => action.uploadId));
  return waiting.length + waitingPictures({ files }).filter(({ uploadId }) => !named.has(uploadId)).length;
}

// Whether a journal holds what the service does not have: what waits, and what was refused and not read.
function holdsSomething(journal: Journal): boolean {
  return countWaiting(journal) > 0
    || journal.settled.some(({ result, isRead }) => result.outcome === "REFUSED" && !isRead)
    || journal.files.some(({ trouble, isRead }) => trouble && !isRead);
}

// Another driver's journal on this phone.
export interface Aside { store: Store; session: Session }

export class Journals {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly open: (name: string) => Promise<Store>, private readonly first: Store, private registry: Registry, public current: Store, public aside: Aside[],
  ) {}

  static async open(open: (name: string) => Promise<Store> = (name) => Store.open(name)): Promise<Journals> {
    const first = await open(FIRST);
    const registry = (await first.readRegistry()) ?? NONE_ASIDE;
    const opened = (name: string) => (name === FIRST ? Promise.resolve(first) : open(name));
    const aside: Aside[] = [];
    for (const name of Object.values(registry.aside)) {
      const store = await opened(name);
      const { session } = await store.readContents();
      if (session) aside.push({ store, session });
    }
    return new Journals(open, first, registry, await opened(registry.current), aside);
  }

  // One at a time: a journal is not forgotten while its driver signs in.
  private queue<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  // Have a driver's own journal open, with this session.
  signIn(session: Session): Promise<void> {
    return this.queue(() => this.switchTo(session));
  }

  // Forget a journal that was put aside once it holds nothing any more; return whether it is forgotten.
  forget(over: Aside): Promise<boolean> {
    return this.queue(() => this.drop(over));
  }

  // What is switched to is written before what says so: a phone that dies between goes on as before.
  private async switchTo(session: Session): Promise<void> {
    const { session: before, choices } = await this.current.readContents();
    const own = this.aside.find(({ session: { driver } }) => driver.id === session.driver.id);
    const isOthers = before !== null && before.driver.id !== session.driver.id;
    const isKept = isOthers && holdsSomething(await this.current.readJournal());
    if (!own && !isKept) return this.current.signIn(session);
    const name = this.registry.aside[session.driver.id] ?? this.freeName();
    const next = own?.store ?? (name === FIRST ? this.first : await this.open(name));
    await next.signIn(session, choices);
    if (isKept) await this.current.release(); // nobody takes it back any more
    const left = this.current;
    await this.register(({ current, aside }) => {
      const { [session.driver.id]: _, ...others } = aside;
      return { current: name, aside: isKept ? { ...others, [before.driver.id]: current } : others };
    });
    this.current = next;
    this.aside = [...this.aside.filter((one) => one !== own), ...(isKept ? [{ store: left, session: before }] : [])];
    if (!isKept) await left.clear();
  }

  private async drop(over: Aside): Promise<boolean> {
    if (!this.aside.includes(over) || holdsSomething(await over.store.readJournal())) return false;
    await over.store.clear();
    await this.register(({ aside: { [over.session.driver.id]: _, ...others }, ...known }) => ({ ...known, aside: others }));
    this.aside = this.aside.filter((one) => one !== over);
    return true;
  }

  private async register(change: (known: Registry) => Registry): Promise<void> {
    this.registry = await this.first.changeRegistry(NONE_ASIDE, change);
  }

  private freeName(): string {
    const taken = [this.registry.current, ...Object.values(this.registry.aside)];
    for (let number = 1; ; number++) {
      const name = number === 1 ? FIRST : `${FIRST}-${number}`;
      if (!taken.includes(name)) return name;
    }
  }
}
