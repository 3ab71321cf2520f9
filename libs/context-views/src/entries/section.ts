import { type Item, type ItemKind } from '#shared-context';

/** The parts of a view that can be asked for by name, in the order in which they are told of. */
export const sections = [
  'state',
  'work',
  'preferences',
  'global',
  'decisions',
  'outputs',
  'failures',
  'artifacts',
  'records',
  'reviews',
  'handovers',
  'requirements',
  'plan',
  'tasks',
  'signals',
  'summaries',
  'derived',
] as const;

export type Section = (typeof sections)[number];

const timeline: ReadonlyMap<ItemKind, Section> = new Map<ItemKind, Section>([
  ['decision', 'decisions'],
  ['step-output', 'outputs'],
  ['step-failure', 'failures'],
  ['artifact', 'artifacts'],
  ['record', 'records'],
  ['review', 'reviews'],
  ['handover', 'handovers'],
  ['input-request', 'handovers'],
  ['requirement', 'requirements'],
  ['risk', 'plan'],
  ['dependency', 'plan'],
  ['blocker', 'plan'],
  ['task', 'tasks'],
  ['phase', 'tasks'],
  ['signal', 'signals'],
  ['derived', 'derived'],
]);

/** Kinds of which the timeline of a view tells, once they are done where they are work. */
export const timelineKinds: readonly ItemKind[] = [...timeline.keys()];

/** What is done, said or decided; what is open is told at the end of a view instead. */
export function timelineSection(item: Item): Section | undefined {
  const { status } = item.state;
  if (item.kind === 'handover' || item.kind === 'input-request' || item.kind === 'blocker')
    return status === 'open' ? undefined : timeline.get(item.kind);
  if (item.kind === 'task' || item.kind === 'phase')
    return status === 'completed' ? timeline.get(item.kind) : undefined;
  return timeline.get(item.kind);
}
