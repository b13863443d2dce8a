// A field of a form with what is to be known of it, and what the server refused in it.
import type { ComponentChildren } from "preact";

export type Troubles = Partial<Record<string, string>>;

interface CheckedFieldProps { name: string; label: string; troubles: Troubles; hint?: string; children: (attributes: { "aria-describedby": string; "aria-invalid": boolean }) => ComponentChildren }

export function CheckedField({ name, label, troubles, hint, children }: CheckedFieldProps) {
  const trouble = troubles[name];
  const described = { "aria-describedby": `${name}-said`, "aria-invalid": !!trouble };
  return (
    <div class="checked-field">
      <label class="field"><span>{label}</span>{children(described)}</label>
      <div id={`${name}-said`}>
        {hint && <p class="soft">{hint}</p>}
        {trouble && <p role="alert" class="bad">{label}: {trouble}</p>}
      </div>
    </div>
  );
}
