import { did, recordContextEvent } from '#testing';

import { checkConsistency } from '../consistency/check-consistency.js';
import { compareContexts } from '../comparison/context.difference.js';
import { type NewContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { renderDecisions } from '../decisions/decision.document.js';
import { rebase } from '../lineage/lineage.js';
import { staleWork } from './stale-work.js';

/** An event, and the version that its author had read, if any. */
type EventWithBasis = NewContextEvent | Readonly<{ event: NewContextEvent; basedOn: number }>;

function after(...events: readonly EventWithBasis[]): ContextState {
  return events.reduce((state, written, at) => {
    const [event, basedOnVersion] =
      'event' in written ? [written.event, written.basedOn] : [written, undefined];
    return state.apply(recordContextEvent(event, at + 1, { basedOnVersion }));
  }, ContextState.from([]));
}

const on = (basedOn: number, event: NewContextEvent): EventWithBasis => ({ event, basedOn });
const decided = (decisionId: string, more: object = {}) =>
  did('DecisionRecorded', { decisionId, topic: 'storage', decision: decisionId, ...more });
const output = (stepId: string) => did('StepOutputAdded', { stepId, output: 1 });
const staleWorkIn = (state: ContextState) =>
  staleWork(state.values()).map(({ item, basedOn, decisionId, supersededBy }) => [
    `${item.kind} ${item.key}`,
    basedOn,
    decisionId,
    supersededBy,
  ]);

const created = did('ContextCreated', {});
const old = decided('DEC-001');
const newer = decided('DEC-002', { supersedes: 'DEC-001' });

describe('stale work', () => {
  it('is based on a version at which a decision was in force that has been superseded', () => {
    const done = on(2, output('build'));
    expect(staleWorkIn(after(created, old, done))).toEqual([]);
    const stale = [['step-output build', 2, 'DEC-001', 'DEC-002']];
    expect(staleWorkIn(after(created, old, done, newer))).toEqual(stale);
    expect(staleWorkIn(after(created, old, newer, done))).toEqual(stale);
  });

  it('is not based on an earlier or a later version than the decision, or on none', () => {
    const others = [on(1, output('a')), on(3, output('b')), output('c')];
    expect(staleWorkIn(after(created, old, newer, ...others))).toEqual([]);
  });

  it('includes every kind of work, but not other events', () => {
    const artifact = did('ArtifactReferenced', {
      artifactId: 'a',
      artifactType: 'document',
      path: 'a.md',
    });
    const review = did('ReviewRecorded', {
      reviewId: 'r',
      artifact: 'a.md',
      iteration: 1,
      reviewer: 'x',
      status: 'APPROVED',
      keyIssues: [],
    });
    const record = did('RecordAppended', {
      recordId: 'n',
      kind: 'custom',
      title: 't',
      body: 'b',
    });
    const handover = did('HandoverNoted', {
      handoverId: 'h',
      from: 'a',
      to: 'b',
      note: 'n',
    });
    const pool = did('DecisionRecorded', { decisionId: 'pool', decision: 'pool' });
    const work = [output('s'), artifact, review, record, handover, pool];
    const others = [
      did('StepStarted', { stepId: 't' }),
      did('PreferencesSet', { values: { a: 1 } }),
    ];
    const state = after(created, old, ...[...work, ...others].map((event) => on(2, event)), newer);
    expect(staleWorkIn(state).map(([item]) => item)).toEqual([
      'step-output s',
      'artifact a',
      'review r',
      'record n',
      'handover h',
      'decision pool',
    ]);
  });

  it('does not include the superseding decision, whose author had to read the superseded one', () => {
    const state = after(created, old, on(2, newer));
    expect(staleWorkIn(state)).toEqual([]);
    expect(renderDecisions([...state.values()])[1]).toMatchObject({ stale: false });
  });

  it('includes decisions, which the document marks as stale', () => {
    const pool = did('DecisionRecorded', { decisionId: 'pool', decision: 'pool' });
    const state = after(created, old, on(2, pool), newer);
    expect(renderDecisions([...state.values()])).toMatchObject([
      { decisionId: 'DEC-001', stale: false },
      { decisionId: 'pool', stale: true },
      { decisionId: 'DEC-002', stale: false },
    ]);
  });

  it('depends on the version at which a pending decision was approved', () => {
    const waiting = decided('DEC-001', { requiresApproval: true });
    const approved = did('DecisionApproved', { decisionId: 'DEC-001', topic: 'storage' });
    const works = [on(2, output('early')), on(3, output('late'))];
    const state = after(created, waiting, approved, ...works, newer);
    expect(staleWorkIn(state)).toEqual([['step-output late', 3, 'DEC-001', 'DEC-002']]);
  });

  it('is not based on a pending decision that was rejected', () => {
    const waiting = decided('DEC-001', { requiresApproval: true });
    const rejected = did('DecisionRejected', { decisionId: 'DEC-001', reason: 'no' });
    expect(staleWorkIn(after(created, waiting, on(2, output('a')), rejected))).toEqual([]);
  });

  it('includes a handover that was acknowledged later', () => {
    const handover = did('HandoverNoted', { handoverId: 'h', from: 'a', to: 'b', note: 'n' });
    const acknowledged = did('HandoverAcknowledged', { handoverId: 'h' });
    expect(
      staleWorkIn(after(created, old, on(2, handover), on(3, acknowledged), newer)),
    ).toHaveLength(1);
  });

  it('is no longer stale after it is redone on the current decision', () => {
    const again = on(4, output('build'));
    expect(staleWorkIn(after(created, old, on(2, output('build')), newer, again))).toEqual([]);
  });

  it('includes work that a fork inherited, with versions of the fork', () => {
    const source = after(created, old, on(2, output('build')), output('more'));
    const base = { contextId: 'c', version: 4, forked: true };
    const forked = rebase(base, [], source.values());
    const state = forked.apply(recordContextEvent(newer, 2));
    expect(staleWorkIn(state)).toEqual([['step-output build', -2, 'DEC-001', 'DEC-002']]);
  });

  it('is reported once by comparisons, when it becomes stale', () => {
    const events = [created, old, on(2, output('build'))];
    const [before, superseded] = [after(...events), after(...events, newer)];
    const named = {
      kind: 'step-output',
      key: 'build',
      version: 3,
      basedOn: 2,
      decisionId: 'DEC-001',
      supersededBy: 'DEC-002',
    };
    expect(compareContexts(before.values(), superseded.values()).workStale).toEqual([named]);
    const later = after(...events, newer, output('more'));
    expect(compareContexts(superseded.values(), later.values()).workStale).toEqual([]);
    expect(compareContexts([], later.values()).workStale).toEqual([named]);
  });

  it('is reported by the consistency check', () => {
    const state = after(created, old, on(2, output('build')), newer);
    expect(checkConsistency({ items: state.values(), document: {} }).findings).toContainEqual({
      code: 'work-stale',
      severity: 'warning',
      ref: 'step-output:build',
      detail: 'its author had read decision DEC-001 as in force, which DEC-002 has superseded',
    });
  });
});
