// The tasks of a stop, of the start or of the end.
import { drafts, keepTaskDraft, record } from "./app";
import type { Recorded } from "./drafts";
import type { Deed, Task, TaskItem } from "./shapes";
import type { NewDeed } from "./stored";
import { t } from "./words";

const hasBox = ({ type }: Task) => type === "CHECKBOXES" || type === "RADIO_BUTTONS" || type === "UNKNOWN";
const isText = (task: Task) => task.items.length === 0 && !hasBox(task);

// What was typed into a task and is not recorded.
function typedInto(key: string, task: Task): string {
  const text = drafts.value[key]?.tasks?.[task.id]?.trim() ?? "";
  return isText(task) && text !== task.input?.value ? text : "";
}

export const isTyped = (key: string, task: Task) => typedInto(key, task) !== "";

// What was typed into tasks goes along with what ends the visit, as the note does.
export function typedTasks(routeId: string, key: string, tasks: Task[]): NewDeed[] {
  return tasks.filter((task) => isTyped(key, task)).map((task) => ({ deed: { kind: "TASK_COMPLETED", routeId, taskId: task.id, value: typedInto(key, task) } }));
}

interface TasksProps { routeId: string; stopId?: string; tasks: Task[] }

export function Tasks({ routeId, stopId, tasks }: TasksProps) {
  if (tasks.length === 0) return null;
  return (
    <section aria-label={t("tasks")}>
      {tasks.map((task) => <TaskField key={task.id} task={task} routeId={routeId} {...(stopId ? { stopId } : {})} />)}
    </section>
  );
}

function TaskField({ routeId, stopId, task }: { routeId: string; stopId?: string; task: Task }) {
  const base = { routeId, taskId: task.id, ...(stopId ? { stopId } : {}) };
  const isRequired = task.requiredToMarkStopAsDelivered || task.requiredToMarkStopAsAttempted;
  const title = <legend>{task.title}{isRequired && <span class="soft"> ({t("required")})</span>}</legend>;
  // The stop is for the way back to it; the door finds a task by its own id.
  const tell = (deed: Deed, correct: Deed[], typed: Recorded[] = []) => {
    const { stopId: _stop, ...told } = deed;
    void record({ deeds: [{ deed: told }], typed, correct: correct.map(({ stopId: _one, ...rest }) => rest), label: task.title || t("tasks") });
  };
  const mark = (item: TaskItem, completed: boolean) => {
    tell({ ...base, kind: "TASK_ITEM_COMPLETED", itemId: item.id, completed }, before(item, completed));
  };
  const before = (item: TaskItem, completed: boolean): Deed[] => {
    const chosen = task.type === "RADIO_BUTTONS" ? task.items.find((one) => one.completed) : undefined;
    const back = { ...base, kind: "TASK_ITEM_COMPLETED", itemId: item.id, completed: !completed };
    return chosen ? [{ ...base, kind: "TASK_ITEM_COMPLETED", itemId: chosen.id, completed: true }] : [back];
  };
  if (task.items.length === 0) {
    if (hasBox(task)) {
      return (
        <label class="tick"><input type="checkbox" checked={task.input !== undefined} disabled={task.input !== undefined}
          onChange={() => { tell({ ...base, kind: "TASK_COMPLETED", value: "done" }, []); }} />{task.title}</label>
      );
    }
    const key = stopId ?? routeId;
    return <TextTask task={task} text={drafts.value[key]?.tasks?.[task.id]} keep={(text) => { void keepTaskDraft(key, routeId, task.id, text); }}
      tell={(value) => { tell({ ...base, kind: "TASK_COMPLETED", value }, [], [{ key, only: { taskIds: [task.id] } }]); }} />;
  }
  const isRadio = task.type === "RADIO_BUTTONS";
  return (
    <fieldset>
      {title}
      {task.items.map((item) => (
        <label key={item.id} class="tick">
          <input type={isRadio ? "radio" : "checkbox"} name={task.id} checked={item.completed} onChange={(event) => { mark(item, event.currentTarget.checked); }} />{item.title}
        </label>
      ))}
    </fieldset>
  );
}

interface TextTaskProps { task: Task; text: string | undefined; keep: (text: string) => void; tell: (value: string) => void }

function TextTask({ task, text, keep, tell }: TextTaskProps) {
  const value = text ?? task.input?.value ?? "";
  const submit = (event: Event) => {
    event.preventDefault();
    if (value.trim()) tell(value.trim());
  };
  return (
    <form class="row" onSubmit={submit}>
      <label>{task.title}<input value={value} maxLength={255} onInput={(event) => { keep(event.currentTarget.value); }} /></label>
      <button>{t("saveAnswer")}</button>
    </form>
  );
}
