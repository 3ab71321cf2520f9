import { z } from 'zod';

const entry = z.record(z.string(), z.unknown());
const list = z.array(entry).default([]);
const replaced = z.looseObject({ before: entry.nullable(), after: entry.nullable() }).nullish();

/** An answer to `diff` or `changes`, limited to the members that commands print. */
export const difference = z.object({
  created: entry.nullish(),
  life: replaced,
  currentState: replaced,
  decisionsMade: list,
  decisionsSuperseded: list,
  decisionsApproved: list,
  decisionsRejected: list,
  decisionsStale: list,
  decisionsReinstated: list,
  decisionsWithdrawn: list,
  outputsAdded: list,
  outputsReplaced: list,
  outputsWithdrawn: list,
  namedOutputsChanged: list,
  stepsChanged: list,
  artifactsAdded: list,
  artifactsRevised: list,
  artifactsWithdrawn: list,
  preferencesChanged: list,
  globalContextChanged: list,
  checkpointsCreated: list,
  workStale: list,
  entriesChanged: list,
});

type Difference = z.output<typeof difference>;

/** One part of the document before and after; null if it was not there. */
export type ChangedPart = Readonly<{
  /** The heading of its section. */
  title: string;
  part: string;
  key: string;
  before: unknown;
  after: unknown;
}>;

type ListName = Exclude<keyof Difference, 'created' | 'life' | 'currentState' | 'entriesChanged'>;
/** Whether entries are the added value, the removed value, or both as `before` and `after`. */
type Shape = 'added' | 'removed' | 'both';

const lists: readonly (readonly [ListName, string, string, string, Shape])[] = [
  ['decisionsMade', 'Decisions made', 'decisionHistory', 'decisionId', 'added'],
  ['decisionsSuperseded', 'Decisions superseded', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsApproved', 'Decisions approved', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsRejected', 'Decisions rejected', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsStale', 'Stale decisions', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsReinstated', 'Decisions reinstated', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsWithdrawn', 'Decisions withdrawn', 'decisionHistory', 'decisionId', 'removed'],
  ['outputsAdded', 'Outputs added', 'stepOutputs', 'stepId', 'added'],
  ['outputsReplaced', 'Outputs replaced', 'stepOutputs', 'stepId', 'both'],
  ['outputsWithdrawn', 'Outputs withdrawn', 'stepOutputs', 'stepId', 'removed'],
  ['namedOutputsChanged', 'Named outputs', 'agents', 'name', 'both'],
  ['stepsChanged', 'Steps', 'steps', 'stepId', 'both'],
  ['artifactsAdded', 'Artifacts added', 'artifactReferences', 'artifactId', 'added'],
  ['artifactsRevised', 'Artifacts revised', 'artifactReferences', 'artifactId', 'both'],
  ['artifactsWithdrawn', 'Artifacts withdrawn', 'artifactReferences', 'artifactId', 'removed'],
  ['preferencesChanged', 'Preferences', 'userPreferences', 'key', 'both'],
  ['globalContextChanged', 'Global context', 'globalContext', 'key', 'both'],
  ['checkpointsCreated', 'Checkpoints', 'checkpoints', 'name', 'added'],
  ['workStale', 'Stale work', 'staleWork', 'key', 'added'],
];

/** Returns the changed parts, once for each list that contains them. */
export function changedParts(from: Difference): readonly ChangedPart[] {
  const singleParts = [
    singlePart('Created', 'context', from.created ? { before: null, after: from.created } : null),
    singlePart('Life', 'status', from.life),
    singlePart('Current state', 'currentState', from.currentState),
  ].flat();
  return [
    ...singleParts,
    ...lists.flatMap(([list, title, part, name, shape]) =>
      from[list].map((one) => ({ title, part, key: String(one[name]), ...sides(shape, one) })),
    ),
    ...from.entriesChanged.map((one) => ({
      title: 'Other entries',
      part: String(one['part']),
      key: String(one['key']),
      ...sides('both', one),
    })),
  ];
}

/** Returns each part once: it may be in several lists, such as approved and superseded. */
export function distinctParts(parts: readonly ChangedPart[]): readonly ChangedPart[] {
  const byKey = new Map(parts.map((part) => [`${part.part} ${part.key}`, part]));
  return [...byKey.values()];
}

function singlePart(
  title: string,
  part: string,
  change: Readonly<{ before: unknown; after: unknown }> | null | undefined,
): ChangedPart[] {
  return change ? [{ title, part, key: '', before: change.before, after: change.after }] : [];
}

function sides(shape: Shape, one: Readonly<Record<string, unknown>>) {
  if (shape === 'added') return { before: null, after: one };
  if (shape === 'removed') return { before: one, after: null };
  const failure = one['failure'] ? { failure: one['failure'] } : {};
  const after = one['after'] ?? null;
  return {
    before: one['before'] ?? null,
    after: after !== null && typeof after === 'object' ? { ...after, ...failure } : after,
  };
}
