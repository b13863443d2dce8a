// The tasks of a stop, of the start or of the end.
import { record } from "./app";
import type { Deed, Task, TaskItem } from "./shapes";
import { t } from "./words";

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
  const tell = (deed: Deed, correct: Deed[]) => {
    const { stopId: _stop, ...told } = deed;
    void record({ deeds: [{ deed: told }], correct: correct.map(({ stopId: _one, ...rest }) => rest), label: task.title || t("tasks") });
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
    if (task.type === "CHECKBOXES" || task.type === "RADIO_BUTTONS" || task.type === "UNKNOWN") {
      return (
        <label class="tick"><input type="checkbox" checked={task.input !== undefined} disabled={task.input !== undefined}
          onChange={() => { tell({ ...base, kind: "TASK_COMPLETED", value: "done" }, []); }} />{task.title}</label>
      );
    }
    return <TextTask task={task} tell={(value) => { tell({ ...base, kind: "TASK_COMPLETED", value }, []); }} />;
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

function TextTask({ task, tell }: { task: Task; tell: (value: string) => void }) {
  const submit = (event: Event) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget as HTMLFormElement).get("value");
    if (typeof value === "string" && value.trim()) tell(value.trim());
  };
  return (
    <form class="row" onSubmit={submit}>
      <label>{task.title}<input name="value" defaultValue={task.input?.value ?? ""} maxLength={255} /></label>
      <button>{t("save")}</button>
    </form>
  );
}
