import { z } from 'zod';

const entry = z.record(z.string(), z.unknown());
const list = z.array(entry).default([]);
const replaced = z.looseObject({ before: entry.nullable(), after: entry.nullable() }).nullish();

/** What `diff` and `changes` answer, as far as these commands show it. */
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
  /** The heading it belongs under. */
  title: string;
  part: string;
  key: string;
  before: unknown;
  after: unknown;
}>;

type ListName = Exclude<keyof Difference, 'created' | 'life' | 'currentState' | 'entriesChanged'>;
/** Whether entries are the value that came, the value that went, or both as `before` and `after`. */
type Shape = 'came' | 'went' | 'both';

const lists: readonly (readonly [ListName, string, string, string, Shape])[] = [
  ['decisionsMade', 'Decisions made', 'decisionHistory', 'decisionId', 'came'],
  ['decisionsSuperseded', 'Decisions superseded', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsApproved', 'Decisions approved', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsRejected', 'Decisions rejected', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsStale', 'Decisions gone stale', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsReinstated', 'Decisions reinstated', 'decisionHistory', 'decisionId', 'both'],
  ['decisionsWithdrawn', 'Decisions withdrawn', 'decisionHistory', 'decisionId', 'went'],
  ['outputsAdded', 'Outputs added', 'stepOutputs', 'stepId', 'came'],
  ['outputsReplaced', 'Outputs replaced', 'stepOutputs', 'stepId', 'both'],
  ['outputsWithdrawn', 'Outputs withdrawn', 'stepOutputs', 'stepId', 'went'],
  ['namedOutputsChanged', 'Named outputs', 'agents', 'name', 'both'],
  ['stepsChanged', 'Steps', 'steps', 'stepId', 'both'],
  ['artifactsAdded', 'Artifacts added', 'artifactReferences', 'artifactId', 'came'],
  ['artifactsRevised', 'Artifacts revised', 'artifactReferences', 'artifactId', 'both'],
  ['artifactsWithdrawn', 'Artifacts withdrawn', 'artifactReferences', 'artifactId', 'went'],
  ['preferencesChanged', 'Preferences', 'userPreferences', 'key', 'both'],
  ['globalContextChanged', 'Global context', 'globalContext', 'key', 'both'],
  ['checkpointsCreated', 'Checkpoints', 'checkpoints', 'name', 'came'],
  ['workStale', 'Work gone stale', 'staleWork', 'key', 'came'],
];

/** Every part that changed, once for each thing that is said of it. */
export function changedParts(from: Difference): readonly ChangedPart[] {
  const whole = [
    wholePart('Created', 'context', from.created ? { before: null, after: from.created } : null),
    wholePart('Life', 'status', from.life),
    wholePart('Current state', 'currentState', from.currentState),
  ].flat();
  return [
    ...whole,
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

/** The same part said to be several things, such as approved and then superseded, is one change. */
export function distinctParts(parts: readonly ChangedPart[]): readonly ChangedPart[] {
  const seen = new Map(parts.map((part) => [`${part.part} ${part.key}`, part]));
  return [...seen.values()];
}

function wholePart(
  title: string,
  part: string,
  change: Readonly<{ before: unknown; after: unknown }> | null | undefined,
): ChangedPart[] {
  return change ? [{ title, part, key: '', before: change.before, after: change.after }] : [];
}

function sides(shape: Shape, one: Readonly<Record<string, unknown>>) {
  if (shape === 'came') return { before: null, after: one };
  if (shape === 'went') return { before: one, after: null };
  const failure = one['failure'] ? { failure: one['failure'] } : {};
  const after = one['after'] ?? null;
  return {
    before: one['before'] ?? null,
    after: after !== null && typeof after === 'object' ? { ...after, ...failure } : after,
  };
}
