import { createHash } from 'node:crypto';

import { InMemoryEventStore, type StoredEvent } from '#event-sourcing';
import { HistoryWriter, did } from '#testing';

import { historyOf } from '../history/history.js';
import { type HistoryLine } from '../history/history.schema.js';
import { type InvariantId } from '../invariant-report.js';
import { checkHistoryOrder, checkNothingOpen, checkProcesses } from './history-invariants.js';
import { LogAudit } from './log-audit.js';

const stream = 'context-default:a';
const run: HistoryLine = { kind: 'run', history: 1, scenario: 'test', seed: 1 };
const end: HistoryLine = { kind: 'end', at: 9, figures: {} };

describe('the audit of a log', () => {
  let events: StoredEvent[];

  beforeEach(async () => {
    const store = new InMemoryEventStore();
    const writer = new HistoryWriter(store);
    await writer.append('a', did('ContextCreated', {}), did('StepStarted', { stepId: 's' }));
    await writer.append('a', did('StepOutputAdded', { stepId: 's', output: 1 }));
    events = await store.readStream(stream, { limit: 10 });
  });

  const acknowledged = (): HistoryLine => ({
    kind: 'append',
    client: 'c',
    stream,
    inv: 1,
    ret: 2,
    count: 3,
    outcome: 'ok',
    version: 3,
    eventIds: events.map(({ eventId }) => eventId),
  });
  const delivered = (received: readonly StoredEvent[], session = 0): HistoryLine => ({
    kind: 'delivery',
    subscriber: 'reader',
    session,
    at: 3,
    events: received.map(({ position, version, eventId }) => ({
      position,
      stream,
      version,
      eventId,
    })),
  });

  function audit(stored: readonly StoredEvent[], ...lines: readonly HistoryLine[]) {
    const history = lines.length > 0 ? historyOf([run, ...lines, end]) : undefined;
    const log = new LogAudit({
      history,
      ownerOf: () => ({ workspace: 'default', context: 'a' }),
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      comparePositions: (left, right) => Number(left) - Number(right),
    });
    log.take(stream, stored);
    log.finish(stream);
    return { log, reports: new Map(log.reports().map((report) => [report.id, report])) };
  }

  const offender = (stored: readonly StoredEvent[], id: InvariantId, ...lines: HistoryLine[]) =>
    audit(stored, ...lines).reports.get(id)?.first;

  it('reports no violation for an unmodified log and a matching history', () => {
    const { reports, log } = audit(events, acknowledged(), delivered(events));
    expect([...reports.values()].map(({ verdict }) => verdict)).toEqual(Array(5).fill('held'));
    expect(log.lastVersions).toEqual(new Map([[stream, 3]]));
  });

  it('checks the invariants that need no history without one', () => {
    const verdicts = [...audit(events).reports.values()].map(({ id, verdict }) => [id, verdict]);
    expect(Object.fromEntries(verdicts)).toEqual({
      I1: 'not checked',
      I2: 'held',
      I3: 'held',
      I5: 'not checked',
      I9: 'held',
    });
  });

  it('names an acknowledged event that is missing', () => {
    const [, , last] = events;
    expect(offender(events.slice(0, 2), 'I1', acknowledged())).toContain(last?.eventId);
  });

  it('names an acknowledged version that is another event', () => {
    const swapped = events.map((event, n) => (n === 2 ? { ...event, eventId: 'other' } : event));
    expect(offender(swapped, 'I1', acknowledged())).toMatch(/version 3 is event other/);
  });

  it('names a command with two different answers', () => {
    const first: HistoryLine = {
      kind: 'append',
      client: 'c',
      stream,
      key: 'k',
      inv: 1,
      ret: 2,
      count: 1,
      outcome: 'ok',
      version: 3,
      eventIds: [events[2]?.eventId ?? ''],
    };
    const second: HistoryLine = {
      ...first,
      inv: 3,
      ret: 4,
      version: 2,
      eventIds: [events[1]?.eventId ?? ''],
    };
    expect(offender(events, 'I1', first, second)).toMatch(/two answers to one command, key k/);
  });

  it('names a version that is missing', () => {
    expect(offender(events.toSpliced(1, 1), 'I2')).toBe(`${stream}: version 3 follows 1`);
  });

  it('names the first event whose chain breaks', () => {
    const edited = events.map((event, n) => (n === 1 ? { ...event, data: '{"a":1}' } : event));
    expect(offender(edited, 'I9')).toBe(`${stream}: version 2, wrong-hash`);
  });

  it('names an event that is stored twice', () => {
    const { log } = audit(events);
    log.duplicate('e', 2);
    expect(log.reports().find(({ id }) => id === 'I3')?.first).toBe('event e is stored 2 times');
  });

  it.each([
    ['was not received', () => delivered(events.slice(0, 2)), /never received position 3/],
    ['was received out of order', () => delivered(events.toReversed()), /position 2 after 3/],
    [
      'was never committed',
      () => delivered([...events, { ...events[2], position: '9', version: 4 } as StoredEvent]),
      /position 9, which is not committed/,
    ],
  ])('names an event that %s', (_what, line, message) => {
    expect(offender(events, 'I5', line())).toMatch(message);
  });

  it('lets a restarted subscriber receive events again', () => {
    expect(offender(events, 'I5', delivered(events.slice(0, 2)), delivered(events, 1))).toBeNull();
  });
});

describe('the audit of a history', () => {
  const read = (ret: number | null, deadlineMs: number): HistoryLine => ({
    kind: 'read',
    client: 'c',
    stream,
    inv: 0,
    ret,
    deadlineMs,
    outcome: 'unknown',
  });

  it('names a read that returned less than was acknowledged', () => {
    const append: HistoryLine = {
      kind: 'append',
      client: 'c',
      stream,
      inv: 0,
      ret: 1,
      count: 1,
      outcome: 'ok',
      version: 1,
    };
    const stale: HistoryLine = {
      kind: 'read',
      client: 'd',
      stream,
      inv: 2,
      ret: 3,
      outcome: 'ok',
      version: 0,
    };
    const report = checkHistoryOrder(historyOf([run, append, stale, end]), new Map([[stream, 1]]));
    expect(report).toMatchObject({ verdict: 'violated', offenders: 1 });
    expect(report.first).toMatch(/stale-read/);
  });

  it('names a request that never returned, and one that returned too late', () => {
    expect(checkNothingOpen(historyOf([run, read(null, 10), end]), []).first).toMatch(/never/);
    expect(checkNothingOpen(historyOf([run, read(2_000_000, 500), end]), []).first).toMatch(
      /2000 ms/,
    );
    expect(checkNothingOpen(historyOf([run, read(1_400_000, 500), end]), []).first).toBeNull();
  });

  it('names a session that holds a transaction open', () => {
    const idle = [{ pid: 7, application: 'x', seconds: 30 }];
    expect(checkNothingOpen(undefined, idle).first).toMatch(/session 7 of "x"/);
  });

  it('names a process that ended unexpectedly', () => {
    const ended = (endedBy: 'test' | 'itself'): HistoryLine => ({
      kind: 'process',
      name: 'api',
      pid: 7,
      endedBy,
      signal: null,
      code: 1,
    });
    expect(checkProcesses(historyOf([run, ended('test'), end])).first).toBeNull();
    expect(checkProcesses(historyOf([run, ended('itself'), end])).first).toMatch(/api .* code 1/);
  });
});
