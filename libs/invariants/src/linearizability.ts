/**
 * What one client asked of a stream, and when; `ret` is infinite where no answer came. An append takes effect as a
 * whole: its versions are `from` to `to`. One of unknown outcome may have taken effect at any time, or never.
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

type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;
type Observation = Of<'append'> | Of<'read'> | Of<'conflict'>;

/**
 * Whether the operations could have happened one at a time, each at an instant between its call and its return
 * (Herlihy and Wing). Versions fix the order of a stream's states, so there is nothing to search: every operation has
 * a rank, and an order of instants exists exactly where nothing of a lower rank was called after something of a higher
 * one had returned. O(n log n). `lastVersions` are what the log holds, where it is known.
 */
export function checkLinearizability(
  operations: readonly Operation[],
  lastVersions: ReadonlyMap<string, number> = new Map(),
): Anomaly[] {
  const anomalies: Anomaly[] = [];
  for (const [stream, own] of Map.groupBy(operations, (operation) => operation.stream)) {
    const tell = (kind: Anomaly['kind'], detail: string) =>
      void anomalies.push({ stream, kind, detail });
    const appends = own
      .filter((operation) => operation.kind === 'append')
      .sort((left, right) => left.from - right.from || left.inv - right.inv);
    const unknown = own.filter((operation) => operation.kind === 'unknown-append');
    const observed = own.filter((operation) => operation.kind !== 'unknown-append');
    const last = lastVersions.get(stream);
    const holes = findHoles(appends, observed);
    checkVersions(appends, last, tell);
    checkHoles(holes, unknown, tell);
    checkObservations(appends, observed, tell);
    checkOrder(observed, fillersOf(unknown, holes), tell);
  }
  return anomalies;
}

type Tell = (kind: Anomaly['kind'], detail: string) => void;

function checkVersions(
  appends: readonly Of<'append'>[],
  last: number | undefined,
  tell: Tell,
): void {
  let before: Of<'append'> | undefined;
  for (const append of appends) {
    if (before && append.from <= before.to)
      tell('same-version-twice', `${nameOf(append)} and ${nameOf(before)}`);
    if (append.expected !== undefined && append.from !== append.expected + 1)
      tell('version-not-behind-expected', `${nameOf(append)} expected ${append.expected}`);
    if (last !== undefined && append.to > last)
      tell('lost-write', `${nameOf(append)} is acknowledged, the log ends at ${last}`);
    before = append;
  }
}

/** Versions between those acknowledged, or seen by a read, that no acknowledged append wrote. */
function findHoles(appends: readonly Of<'append'>[], observed: readonly Observation[]): number[] {
  const holes: number[] = [];
  let next = 1;
  const until = (version: number) => {
    for (; next < version; next++) holes.push(next);
  };
  for (const { from, to } of appends) {
    until(from);
    next = Math.max(next, to + 1);
  }
  until(observed.reduce((most, operation) => Math.max(most, versionOf(operation)), 0) + 1);
  return holes;
}

function checkHoles(
  holes: readonly number[],
  unknown: readonly Of<'unknown-append'>[],
  tell: Tell,
): void {
  const room = unknown.reduce((sum, { count }) => sum + count, 0);
  if (holes.length > room)
    tell(
      'version-nobody-wrote',
      `version ${holes[room]}: ${holes.length} unaccounted for, ${room} possible`,
    );
}

function checkObservations(
  appends: readonly Of<'append'>[],
  observed: readonly Observation[],
  tell: Tell,
): void {
  const inside = new Set(appends.flatMap(({ from, to }) => range(from, to - 1)));
  for (const operation of observed) {
    if (operation.kind === 'append') continue;
    if (inside.has(versionOf(operation)))
      tell('torn-batch', `${nameOf(operation)} lies within one append`);
    if (operation.kind === 'conflict' && operation.actual === operation.expected)
      tell('conflict-not-justified', `${nameOf(operation)} is what it expected`);
  }
}

type RankedOperation = Readonly<{
  rank: number;
  inv: number;
  ret: number;
  operation: Observation | undefined;
}>;

function checkOrder(
  observed: readonly Observation[],
  fillers: readonly RankedOperation[],
  tell: Tell,
): void {
  const ranked = observed.map((operation): RankedOperation => {
    const { inv, ret } = operation;
    return { rank: rankOf(operation), inv, ret, operation };
  });
  const groups = Map.groupBy([...ranked, ...fillers], ({ rank }) => rank);
  let latest: RankedOperation | undefined;
  for (const rank of [...groups.keys()].sort((left, right) => left - right)) {
    const group = groups.get(rank) ?? [];
    for (const { operation, ret } of group)
      if (operation && latest && latest.inv > ret) tell(...blame(latest.operation, operation));
    latest = latestOf(latest, group);
  }
}

/** The one that was called last. */
function latestOf(
  latest: RankedOperation | undefined,
  group: readonly RankedOperation[],
): RankedOperation | undefined {
  return group.reduce((last, each) => (last && last.inv >= each.inv ? last : each), latest);
}

/** `later` has the higher rank and had returned when `earlier` was called. */
function blame(earlier: Observation | undefined, later: Observation): [Anomaly['kind'], string] {
  const detail = `${nameOf(later)} had returned when ${earlier ? nameOf(earlier) : 'any append that could be before it'} was called`;
  if (earlier?.kind === 'read') return ['stale-read', detail];
  if (earlier?.kind === 'conflict' || later.kind === 'conflict')
    return ['conflict-not-justified', detail];
  return [later.kind === 'append' ? 'real-time-order-inverted' : 'future-read', detail];
}

/** What must stand for the holes: appends of unknown outcome, none called before the first of them. */
function fillersOf(
  unknown: readonly Of<'unknown-append'>[],
  holes: readonly number[],
): RankedOperation[] {
  // Without any append to fill them, holes are told of already.
  if (unknown.length === 0) return [];
  const inv = unknown.reduce((least, operation) => Math.min(least, operation.inv), Infinity);
  return holes.map((version) => ({
    rank: 2 * version - 1,
    inv,
    ret: Infinity,
    operation: undefined,
  }));
}

/** The states of a stream in their order, and between two of them who saw the first. */
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
