/**
 * An operation of a client on a stream, with the times of its call and return; `ret` is infinite if there was no answer. An append is
 * atomic: its versions are `from` to `to`. An append of unknown outcome may have taken effect at any time after its call, or never.
 */
export type Operation = Readonly<{ stream: string; client: string; inv: number; ret: number }> &
  (
    | Readonly<{ kind: 'append'; from: number; to: number; expected: number | undefined }>
    | Readonly<{ kind: 'unknown-append'; count: number }>
    | Readonly<{ kind: 'read'; version: number }>
    | Readonly<{ kind: 'conflict'; expected: number; actual: number }>
  );

const anomalyKinds = [
  'same-version-twice',
  'version-not-behind-expected',
  'real-time-order-inverted',
  'stale-read',
  'future-read',
  'torn-batch',
  'conflict-not-justified',
  'version-nobody-wrote',
  'lost-write',
] as const;

type Anomaly = Readonly<{
  stream: string;
  kind: (typeof anomalyKinds)[number];
  detail: string;
}>;

type OperationOf<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;
type Observation = OperationOf<'append'> | OperationOf<'read'> | OperationOf<'conflict'>;

/**
 * Checks whether the operations could have happened one at a time, each at an instant between its call and its return
 * (Herlihy and Wing). Versions determine the order of the states of a stream, so no search is needed: every operation has a
 * rank, and a valid order exists if and only if no operation was called after one of a higher rank had returned.
 * O(n log n). `lastVersions` are the last versions in the log, if known.
 */
export function checkLinearizability(
  operations: readonly Operation[],
  lastVersions: ReadonlyMap<string, number> = new Map(),
): Anomaly[] {
  const anomalies: Anomaly[] = [];
  for (const [stream, own] of Map.groupBy(operations, (operation) => operation.stream)) {
    const report = (kind: Anomaly['kind'], detail: string) =>
      void anomalies.push({ stream, kind, detail });
    const appends = own
      .filter((operation) => operation.kind === 'append')
      .sort((left, right) => left.from - right.from || left.inv - right.inv);
    const unknown = own.filter((operation) => operation.kind === 'unknown-append');
    const observations = own.filter((operation) => operation.kind !== 'unknown-append');
    const last = lastVersions.get(stream);
    const gaps = findGaps(appends, observations);
    checkVersions(appends, last, report);
    checkGaps(gaps, unknown, report);
    checkObservations(appends, observations, report);
    checkOrder(observations, fillersOf(unknown, gaps), report);
  }
  return anomalies;
}

type Report = (kind: Anomaly['kind'], detail: string) => void;

function checkVersions(
  appends: readonly OperationOf<'append'>[],
  last: number | undefined,
  report: Report,
): void {
  let before: OperationOf<'append'> | undefined;
  for (const append of appends) {
    if (before && append.from <= before.to)
      report('same-version-twice', `${nameOf(append)} and ${nameOf(before)}`);
    if (append.expected !== undefined && append.from !== append.expected + 1)
      report('version-not-behind-expected', `${nameOf(append)} expected ${append.expected}`);
    if (last !== undefined && append.to > last)
      report('lost-write', `${nameOf(append)} is acknowledged, the log ends at ${last}`);
    before = append;
  }
}

/** Versions up to the highest acknowledged or read one that no acknowledged append wrote. */
function findGaps(
  appends: readonly OperationOf<'append'>[],
  observations: readonly Observation[],
): number[] {
  const gaps: number[] = [];
  let next = 1;
  const until = (version: number) => {
    for (; next < version; next++) gaps.push(next);
  };
  for (const { from, to } of appends) {
    until(from);
    next = Math.max(next, to + 1);
  }
  until(observations.reduce((max, operation) => Math.max(max, versionOf(operation)), 0) + 1);
  return gaps;
}

function checkGaps(
  gaps: readonly number[],
  unknown: readonly OperationOf<'unknown-append'>[],
  report: Report,
): void {
  const possible = unknown.reduce((sum, { count }) => sum + count, 0);
  if (gaps.length > possible)
    report(
      'version-nobody-wrote',
      `version ${gaps[possible]}: ${gaps.length} unaccounted for, ${possible} possible`,
    );
}

function checkObservations(
  appends: readonly OperationOf<'append'>[],
  observations: readonly Observation[],
  report: Report,
): void {
  const inside = new Set(appends.flatMap(({ from, to }) => range(from, to - 1)));
  for (const operation of observations) {
    if (operation.kind === 'append') continue;
    if (inside.has(versionOf(operation)))
      report('torn-batch', `${nameOf(operation)} is inside one append`);
    if (operation.kind === 'conflict' && operation.actual === operation.expected)
      report('conflict-not-justified', `${nameOf(operation)} equals its expected version`);
  }
}

type RankedOperation = Readonly<{
  rank: number;
  inv: number;
  ret: number;
  operation: Observation | undefined;
}>;

function checkOrder(
  observations: readonly Observation[],
  fillers: readonly RankedOperation[],
  report: Report,
): void {
  const ranked = observations.map((operation): RankedOperation => {
    const { inv, ret } = operation;
    return { rank: rankOf(operation), inv, ret, operation };
  });
  const groups = Map.groupBy([...ranked, ...fillers], ({ rank }) => rank);
  let latest: RankedOperation | undefined;
  for (const rank of [...groups.keys()].sort((left, right) => left - right)) {
    const group = groups.get(rank) ?? [];
    for (const { operation, ret } of group)
      if (operation && latest && latest.inv > ret) report(...blame(latest.operation, operation));
    latest = latestOf(latest, group);
  }
}

/** The operation that was called last. */
function latestOf(
  latest: RankedOperation | undefined,
  group: readonly RankedOperation[],
): RankedOperation | undefined {
  return group.reduce((last, each) => (last && last.inv >= each.inv ? last : each), latest);
}

/** Describes the anomaly: `later` has the higher rank, but had returned when `earlier` was called. */
function blame(earlier: Observation | undefined, later: Observation): [Anomaly['kind'], string] {
  const detail = `${nameOf(later)} had returned when ${earlier ? nameOf(earlier) : 'any append that could precede it'} was called`;
  if (earlier?.kind === 'read') return ['stale-read', detail];
  if (earlier?.kind === 'conflict' || later.kind === 'conflict')
    return ['conflict-not-justified', detail];
  return [later.kind === 'append' ? 'real-time-order-inverted' : 'future-read', detail];
}

/** Operations that must have filled the gaps: appends of unknown outcome, none called before the first of them. */
function fillersOf(
  unknown: readonly OperationOf<'unknown-append'>[],
  gaps: readonly number[],
): RankedOperation[] {
  // Gaps that no append can fill are already reported.
  if (unknown.length === 0) return [];
  const inv = unknown.reduce((min, operation) => Math.min(min, operation.inv), Infinity);
  return gaps.map((version) => ({
    rank: 2 * version - 1,
    inv,
    ret: Infinity,
    operation: undefined,
  }));
}

/** Appends have odd ranks in the order of versions; reads and conflicts have the even rank after the version that they observed. */
function rankOf(operation: Observation): number {
  return operation.kind === 'append' ? 2 * operation.to - 1 : 2 * versionOf(operation);
}

function versionOf(operation: Observation): number {
  if (operation.kind === 'append') return operation.to;
  return operation.kind === 'read' ? operation.version : operation.actual;
}

function nameOf(operation: Observation): string {
  const { client, kind } = operation;
  return `${kind} of version ${versionOf(operation)} by ${client}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, n) => from + n);
}
