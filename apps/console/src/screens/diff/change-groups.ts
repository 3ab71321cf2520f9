type Members = Readonly<Record<string, unknown>>;

/** One page of `GET /v1/contexts/{id}/diff`. Its other members are one list, or one change, per kind of change. */
export type Difference = Members &
  Readonly<{
    contextId: string;
    from: number;
    to: number;
    nextCursor: string | null;
    staleTruncated?: true;
  }>;

/** A member of a value before and after; `undefined` if it did not exist. */
export type MemberChange = Readonly<{ name: string; before: unknown; after: unknown }>;

export type Change = Readonly<{
  /** The id or the name of what changed; empty if there is only one. */
  key: string;
  kind: 'added' | 'changed' | 'removed';
  members: readonly MemberChange[];
}>;

type ChangeGroup = Readonly<{ heading: string; changes: readonly Change[] }>;

/**
 * `key`: the members that identify an entry. `kind`: `added` or `removed` if entries have only one side; `value` if both sides are any JSON,
 * null included.
 */
type Row = Readonly<{
  list: string;
  heading: string;
  key?: readonly string[];
  kind?: 'added' | 'removed' | 'value';
}>;

/** The groups in the order of the page: decisions first, the state last. */
const rows: readonly Row[] = [
  { list: 'created', heading: 'The context was created', kind: 'added' },
  { list: 'life', heading: 'The context was closed or reopened' },
  { list: 'decisionsMade', heading: 'New decisions', key: ['decisionId'], kind: 'added' },
  { list: 'decisionsSuperseded', heading: 'Superseded decisions', key: ['decisionId'] },
  { list: 'decisionsApproved', heading: 'Approved decisions', key: ['decisionId'] },
  { list: 'decisionsRejected', heading: 'Rejected decisions', key: ['decisionId'] },
  { list: 'decisionsStale', heading: 'Decisions that became stale', key: ['decisionId'] },
  { list: 'decisionsReinstated', heading: 'Reinstated decisions', key: ['decisionId'] },
  {
    list: 'decisionsWithdrawn',
    heading: 'Withdrawn decisions',
    key: ['decisionId'],
    kind: 'removed',
  },
  { list: 'workStale', heading: 'Work that became stale', key: ['kind', 'key'], kind: 'added' },
  { list: 'outputsAdded', heading: 'New outputs of steps', key: ['stepId'], kind: 'added' },
  { list: 'outputsReplaced', heading: 'Replaced outputs of steps', key: ['stepId'] },
  {
    list: 'outputsWithdrawn',
    heading: 'Withdrawn outputs of steps',
    key: ['stepId'],
    kind: 'removed',
  },
  { list: 'namedOutputsChanged', heading: 'Changed outputs of agents', key: ['agentId', 'name'] },
  { list: 'stepsChanged', heading: 'Changed steps', key: ['stepId'] },
  { list: 'artifactsAdded', heading: 'New artifacts', key: ['artifactId'], kind: 'added' },
  { list: 'artifactsRevised', heading: 'Revised artifacts', key: ['artifactId'] },
  {
    list: 'artifactsWithdrawn',
    heading: 'Withdrawn artifacts',
    key: ['artifactId'],
    kind: 'removed',
  },
  { list: 'preferencesChanged', heading: 'Changed preferences', key: ['key'], kind: 'value' },
  { list: 'globalContextChanged', heading: 'Changed global context', key: ['key'], kind: 'value' },
  { list: 'entriesChanged', heading: 'Other changed entries', key: ['part', 'key'] },
  { list: 'checkpointsCreated', heading: 'New checkpoints', key: ['name'], kind: 'added' },
  { list: 'currentState', heading: 'Changed current state' },
];

/** The changes by meaning: one group per kind of change, without empty groups. */
export function changeGroups(difference: Difference): readonly ChangeGroup[] {
  return rows.flatMap((row) => {
    const changes = listOf(difference[row.list]).map((entry) => changeOf(entry, row));
    return changes.length === 0 ? [] : [{ heading: row.heading, changes }];
  });
}

function listOf(value: unknown): readonly Members[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.filter(isObject);
}

function changeOf(entry: Members, { key: names = [], kind }: Row): Change {
  const key = keyIn(entry, names);
  const own = ownMembers(entry, names);
  if (kind === 'added') return { key, kind, members: memberChanges(undefined, own) };
  if (kind === 'removed') return { key, kind, members: memberChanges(own, undefined) };
  const { before, after } = kind === 'value' ? entry : withoutNull(entry);
  const members = [...memberChanges(before, after), ...failureIn(entry)];
  return { key, kind: kindOf(before, after), members };
}

/** The members with content: those of the key are shown with it, and null is not a value. */
function ownMembers(entry: Members, names: readonly string[]): Members {
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => value !== null && !names.includes(name)),
  );
}

/** Except for values, null is a side that does not exist. */
function withoutNull({ before, after }: Members): Members {
  return { before: before ?? undefined, after: after ?? undefined };
}

function failureIn({ failure }: Members): readonly MemberChange[] {
  return isObject(failure) ? [{ name: 'failure', before: undefined, after: failure }] : [];
}

function keyIn(entry: Members, names: readonly string[]): string {
  return names
    .map((name) => entry[name])
    .filter((part) => typeof part === 'string')
    .join(' ');
}

function kindOf(before: unknown, after: unknown): Change['kind'] {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** The members that differ. A value that is not an object is the only member, without a name. */
function memberChanges(before: unknown, after: unknown): readonly MemberChange[] {
  if (![before, after].every((side) => side === undefined || isObject(side)))
    return [{ name: '', before, after }];
  const [was, is] = [membersOf(before), membersOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((name) => ({ name, before: was[name], after: is[name] }))
    .filter((member) => JSON.stringify(member.before) !== JSON.stringify(member.after));
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
