import { type JsonObject, type JsonValue } from '#event-sourcing';

import { resultFor, valueOf } from './results.js';
import { type RunDraft } from './run-draft.js';

/** The values that the `input` of a step names: of steps, by id or alias, and of members of the initial context. */
export function referencesOf(
  draft: RunDraft,
  stepId: string,
  names: readonly string[],
): JsonObject {
  const found = names.flatMap((name) => {
    const value = referenced(draft, stepId, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The first name without a value. */
export function missingReference(
  draft: RunDraft,
  stepId: string,
  names: readonly string[],
): string | undefined {
  return names.find((name) => !hasValue(draft, stepId, name));
}

/** A message for the author of the definition: which step has no output, and how to change that. */
export function describeMissing(draft: RunDraft, stepId: string, name: string): string {
  const source = stepNamed(draft, name) ?? name;
  return (
    `step "${stepId}" requires "${name}" as its input, but step "${source}" has no output: ` +
    `route the run so that "${source}" succeeds before "${stepId}", or remove "${name}" from the "input" of "${stepId}"`
  );
}

function hasValue(draft: RunDraft, stepId: string, name: string): boolean {
  const { workflow } = draft;
  if (Object.hasOwn(workflow.initialContext, name)) return true;
  const source = stepNamed(draft, name);
  const result = source === undefined ? undefined : resultFor(draft, stepId, source);
  if (source === undefined || !result) return false;
  const { type } = draft.definitionOf(source);
  return type === 'parallel' || !['failed', 'skipped', 'cancelled'].includes(result.outcome);
}

function referenced(draft: RunDraft, stepId: string, name: string): JsonValue | undefined {
  const { initialContext } = draft.workflow;
  if (Object.hasOwn(initialContext, name)) return initialContext[name];
  const source = stepNamed(draft, name);
  const result = source === undefined ? undefined : resultFor(draft, stepId, source);
  return source === undefined || !result ? undefined : valueOf(draft, source, result);
}

export function stepNamed({ workflow }: RunDraft, name: string): string | undefined {
  if (Object.hasOwn(workflow.steps, name)) return name;
  return Object.hasOwn(workflow.aliases, name) ? workflow.aliases[name] : undefined;
}
