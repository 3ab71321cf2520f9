import { type Item } from '#shared-context';

import { memberOf } from './json-member.js';

/**
 * All names of the subject of a rework: of an artifact its id, its path and its step; of a step also the ids and paths
 * of its artifacts. Undefined if no item has any of them.
 */
export function reworkNames(
  items: readonly Item[],
  subject: string,
): ReadonlySet<string> | undefined {
  const made = artifactsOfStep(items, subject);
  const artifacts = items.filter(({ kind }) => kind === 'artifact');
  const all = [subject, ...artifacts.flatMap((artifact) => namesOf(artifact, subject, made))];
  const names = new Set(all);
  return items.some((item) => hasName(item, names)) ? names : undefined;
}

/** Empty if the artifact is neither the subject nor made by it. */
function namesOf(artifact: Item, subject: string, made: ReadonlySet<unknown>): readonly string[] {
  const own = [artifact.key, textOf(artifact, 'path') ?? artifact.key];
  const step = textOf(artifact, 'stepId');
  if (own.includes(subject)) return step === undefined ? own : [...own, step];
  return step === subject || made.has(artifact.key) ? own : [];
}

/** The artifacts that the output of a step lists. */
function artifactsOfStep(items: readonly Item[], stepId: string): ReadonlySet<unknown> {
  const output = items.find(({ kind, key }) => kind === 'step-output' && key === stepId);
  const artifactIds = memberOf(output?.body, 'artifactIds');
  return new Set(Array.isArray(artifactIds) ? artifactIds : []);
}

/** Members in which items name an artifact, a step, a task or a loop. */
const naming = ['artifact', 'stepId', 'taskId', 'subject'];

function hasName(item: Item, names: ReadonlySet<string>): boolean {
  if (names.has(item.key)) return true;
  return naming.some((name) => names.has(textOf(item, name) ?? ''));
}

function textOf({ body }: Item, name: string): string | undefined {
  const value = memberOf(body, name);
  return typeof value === 'string' ? value : undefined;
}
