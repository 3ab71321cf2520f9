import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type RecordDecision } from '../context.command.js';
import { ApprovalDecidedError, DecisionTopicTakenError } from './decision.errors.js';
import { renderDecisions } from './decision.document.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const postgres = { decisionId: 'DEC-001', topic: 'database', decision: 'Use PostgreSQL' };
const sqlite = { decisionId: 'DEC-002', topic: 'database', decision: 'Use SQLite' };
const recordedPostgres = did('DecisionRecorded', postgres);
const replaced = did('DecisionRecorded', { ...sqlite, supersedes: 'DEC-001' });
const pending = did('DecisionRecorded', { ...sqlite, confidence: 0.3, requiresApproval: true });
const pendingReplacement = did('DecisionRecorded', {
  ...sqlite,
  supersedes: 'DEC-001',
  requiresApproval: true,
});

function record(
  data: RecordDecision['data'],
  confidenceThreshold: number | null = 0.5,
): RecordDecision {
  return { type: 'RecordDecision', data, confidenceThreshold };
}

describe('recording a decision', () => {
  it('assigns ascending ids after the ids that clients sent', () => {
    const data = { decision: 'Use TypeScript' };
    const fourth = did('DecisionRecorded', { decisionId: 'DEC-004', ...data });
    given(created)
      .when(record(data))
      .then(did('DecisionRecorded', { decisionId: 'DEC-001', ...data }));
    given(created, recordedPostgres)
      .when(record(data))
      .then(did('DecisionRecorded', { decisionId: 'DEC-002', ...data }));
    given(created, did('DecisionRecorded', { decisionId: 'DEC-003', decision: 'x' }))
      .when(record(data))
      .then(fourth);
  });

  it('counts from the highest id of the server form, ignoring other ids', () => {
    const other = (decisionId: string) => did('DecisionRecorded', { decisionId, decision: 'x' });
    given(
      created,
      other('DEC-010'),
      other('DEC-002'),
      other('DEC-0099'),
      other('DEC-NaN'),
      other('D'),
    )
      .when(record({ decision: 'y' }))
      .then(did('DecisionRecorded', { decisionId: 'DEC-011', decision: 'y' }));
  });

  it('refuses ids with reserved numbers', () => {
    given(created)
      .when(record({ decisionId: 'DEC-999999999999999', decision: 'x' }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/decisionId' }] });
  });

  it('changes nothing with the same id and payload', () => {
    given(created, recordedPostgres).when(record(postgres)).thenNothing();
  });

  it('refuses another payload under a known id', () => {
    given(created, recordedPostgres)
      .when(record({ ...postgres, rationale: 'changed' }))
      .thenRefused(RuleViolationError, {
        code: 'validation-failed',
        issues: [{ pointer: '/decisionId' }],
      });
  });

  it('refuses a second live decision on a topic', () => {
    given(created, recordedPostgres)
      .when(record({ topic: 'database', decision: 'Use SQLite' }))
      .thenRefused(DecisionTopicTakenError, {
        details: { topic: 'database', decisionId: 'DEC-001' },
      });
  });

  it('accepts a second decision that supersedes the live one', () => {
    const data = { topic: 'database', decision: 'Use SQLite' };
    given(created, recordedPostgres)
      .when(record({ ...data, supersedes: 'DEC-001' }))
      .then(did('DecisionRecorded', { ...data, supersedes: 'DEC-001', decisionId: 'DEC-002' }));
  });

  it('inherits the topic of the superseded decision, and changes nothing when repeated', () => {
    const data = { decisionId: 'DEC-002', decision: 'Use SQLite', supersedes: 'DEC-001' };
    const inherited = did('DecisionRecorded', { ...data, topic: 'database' });
    given(created, recordedPostgres).when(record(data)).then(inherited);
    given(created, recordedPostgres, inherited).when(record(data)).thenNothing();
  });

  it('refuses to supersede across topics', () => {
    given(created, recordedPostgres)
      .when(record({ topic: 'cache', decision: 'x', supersedes: 'DEC-001' }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/topic' }] });
  });

  it('refuses to supersede an unknown decision', () => {
    given(created)
      .when(record({ decision: 'x', supersedes: 'DEC-009' }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/supersedes' }] });
  });

  it('reports the live decision if an old one is superseded again', () => {
    given(created, recordedPostgres, replaced)
      .when(record({ topic: 'database', decision: 'Use MySQL', supersedes: 'DEC-001' }))
      .thenRefused(DecisionTopicTakenError, {
        details: { topic: 'database', decisionId: 'DEC-002' },
      });
  });

  it('refuses to supersede a decision without a topic twice', () => {
    const first = did('DecisionRecorded', { decisionId: 'a', decision: 'x' });
    const second = did('DecisionRecorded', { decisionId: 'b', decision: 'y', supersedes: 'a' });
    given(created, first, second)
      .when(record({ decision: 'z', supersedes: 'a' }))
      .thenRefused(DecisionTopicTakenError, { details: { topic: null, decisionId: 'b' } });
  });

  it('refuses to supersede a pending decision', () => {
    given(created, pending)
      .when(record({ decision: 'x', supersedes: 'DEC-002' }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/supersedes' }] });
  });
});

describe('a decision below the confidence threshold', () => {
  const unsure = {
    decisionId: 'DEC-002',
    topic: 'database',
    decision: 'Use SQLite',
    confidence: 0.3,
  };

  it('is pending, and leaves the topic with the live decision', () => {
    given(created, recordedPostgres)
      .when(record(unsure))
      .then(did('DecisionRecorded', { ...unsure, requiresApproval: true }));
    expect(
      contextAfter(created, recordedPostgres, pending).get('topic', 'database')?.state,
    ).toEqual({
      decisionId: 'DEC-001',
    });
  });

  it('is live at the threshold, without a confidence, and without a threshold', () => {
    const unstated = sqlite;
    given(created).when(record(unsure, 0.3)).then(did('DecisionRecorded', unsure));
    given(created).when(record(unstated)).then(did('DecisionRecorded', unstated));
    given(created).when(record(unsure, null)).then(did('DecisionRecorded', unsure));
  });

  it('is a repetition even if the threshold has changed', () => {
    given(created, did('DecisionRecorded', { ...unsure, requiresApproval: true }))
      .when(record(unsure, 0.1))
      .thenNothing();
  });

  it('cannot be exempted from approval', () => {
    given(created)
      .when(record({ ...unsure, requiresApproval: false }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/requiresApproval' }] });
  });

  it('supersedes another decision only after its approval', () => {
    const before = contextAfter(created, recordedPostgres, pendingReplacement);
    expect(before.get('decision', 'DEC-001')?.state).toMatchObject({ status: 'live' });
    const approved = did('DecisionApproved', {
      decisionId: 'DEC-002',
      topic: 'database',
      supersedes: 'DEC-001',
    });
    given(created, recordedPostgres, pendingReplacement)
      .when({ type: 'ApproveDecision', data: { decisionId: 'DEC-002' } })
      .then(approved);
    const after = contextAfter(created, recordedPostgres, pendingReplacement, approved);
    expect(after.get('decision', 'DEC-001')?.state).toMatchObject({
      status: 'superseded',
      supersededBy: 'DEC-002',
    });
    expect(after.get('topic', 'database')?.state).toEqual({ decisionId: 'DEC-002' });
  });
});

describe('an imported decision', () => {
  const ended = { ...sqlite, decisionId: 'ADR-2', date: '2024-02-29' };

  it('does not occupy its topic if it was rejected or deprecated', () => {
    for (const status of [{ rejected: true }, { deprecated: true }] as const) {
      const stated = did('DecisionRecorded', { ...ended, ...status });
      given(created, recordedPostgres)
        .when(record({ ...ended, ...status }))
        .then(stated);
      const [first, second] = renderDecisions([
        ...contextAfter(created, stated, recordedPostgres).values(),
      ]);
      expect(first).toMatchObject({ live: false, status: Object.keys(status)[0] });
      expect(second).toMatchObject({ live: true });
    }
  });

  it('supersedes another decision if it was deprecated, but not if it was rejected', () => {
    const replacing = { ...ended, supersedes: 'DEC-001' };
    const statuses = (status: object) =>
      renderDecisions([
        ...contextAfter(
          created,
          recordedPostgres,
          did('DecisionRecorded', { ...replacing, ...status }),
        ).values(),
      ]).map((decision) => decision['status']);
    expect(statuses({ deprecated: true })).toEqual(['superseded', 'deprecated']);
    expect(statuses({ rejected: true })).toEqual(['live', 'rejected']);
  });

  it('has only one status', () => {
    given(created)
      .when(record({ ...ended, rejected: true, deprecated: true }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/deprecated' }] });
    given(created)
      .when(record({ ...ended, rejected: true, requiresApproval: true }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/requiresApproval' }] });
  });

  it('may have an id of the server form', () => {
    const numbered = { decisionId: 'DEC-007', decision: 'x' };
    given(created)
      .when({ ...record(numbered), isImported: true })
      .then(did('DecisionRecorded', numbered));
    given(created, did('DecisionRecorded', numbered))
      .when(record({ decision: 'y' }))
      .then(did('DecisionRecorded', { decisionId: 'DEC-008', decision: 'y' }));
  });
});

describe('a verdict', () => {
  const approve = { type: 'ApproveDecision', data: { decisionId: 'DEC-002' } } as const;
  const reject = { type: 'RejectDecision', data: { decisionId: 'DEC-002', reason: 'no' } } as const;
  const approved = did('DecisionApproved', { decisionId: 'DEC-002', topic: 'database' });
  const rejected = did('DecisionRejected', { decisionId: 'DEC-002', reason: 'no' });

  it('is recorded once, and a repetition changes nothing', () => {
    given(created, pending).when(approve).then(approved);
    given(created, pending, approved).when(approve).thenNothing();
    given(created, pending).when(reject).then(rejected);
    given(created, pending, rejected).when(reject).thenNothing();
  });

  it('cannot be reversed', () => {
    given(created, pending, approved).when(reject).thenRefused(ApprovalDecidedError);
    given(created, pending, rejected).when(approve).thenRefused(ApprovalDecidedError);
  });

  it('approves a live decision without an event, and cannot reject it', () => {
    const live = did('DecisionRecorded', sqlite);
    given(created, live).when(approve).thenNothing();
    given(created, live)
      .when(reject)
      .thenRefused(ApprovalDecidedError, {
        details: { decisionId: 'DEC-002', status: 'live' },
      });
  });

  it('requires a known decision', () => {
    given(created).when(approve).thenRefused(NotFoundError, { code: 'not-found' });
    given(created).when(reject).thenRefused(NotFoundError);
  });

  it('is refused if the topic has been taken meanwhile', () => {
    given(created, pending, did('DecisionRecorded', { ...postgres, decisionId: 'DEC-003' }))
      .when(approve)
      .thenRefused(DecisionTopicTakenError, {
        details: { topic: 'database', decisionId: 'DEC-003' },
      });
  });

  it('is refused if another decision without a topic has superseded the same one meanwhile', () => {
    const first = did('DecisionRecorded', { decisionId: 'a', decision: 'x' });
    const waiting = { decisionId: 'b', decision: 'y', supersedes: 'a', requiresApproval: true };
    const other = did('DecisionRecorded', { decisionId: 'c', decision: 'z', supersedes: 'a' });
    given(created, first, did('DecisionRecorded', waiting), other)
      .when({ type: 'ApproveDecision', data: { decisionId: 'b' } })
      .thenRefused(DecisionTopicTakenError, { details: { topic: null, decisionId: 'c' } });
  });

  it('is refused if another decision has superseded the same one meanwhile', () => {
    const other = did('DecisionRecorded', {
      decisionId: 'DEC-003',
      topic: 'database',
      decision: 'Use MySQL',
      supersedes: 'DEC-001',
    });
    given(created, recordedPostgres, pendingReplacement, other)
      .when(approve)
      .thenRefused(DecisionTopicTakenError, {
        details: { topic: 'database', decisionId: 'DEC-003' },
      });
  });
});

describe('the history of decisions', () => {
  it('marks decisions as stale if they depend on a superseded one, except the superseding one', () => {
    const relatedDecisions = [{ decisionId: 'DEC-001', relation: 'requires' as const }];
    const state = contextAfter(
      created,
      recordedPostgres,
      did('DecisionRecorded', { decisionId: 'pool', decision: 'Pool', relatedDecisions }),
      did('DecisionRecorded', { ...sqlite, supersedes: 'DEC-001', relatedDecisions }),
      did('DecisionRecorded', {
        decisionId: 'odd',
        decision: 'Odd',
        relatedDecisions: [{ decisionId: 'unknown', relation: 'relates' }],
      }),
    );
    const rendered = renderDecisions([...state.values()]).map(
      ({ decisionId, live, stale, status, supersededBy, version }) => ({
        decisionId,
        live,
        stale,
        status,
        supersededBy,
        version,
      }),
    );
    expect(rendered).toEqual([
      {
        decisionId: 'DEC-001',
        live: false,
        stale: false,
        status: 'superseded',
        supersededBy: 'DEC-002',
        version: 2,
      },
      { decisionId: 'pool', live: true, stale: true, status: 'live', version: 3 },
      { decisionId: 'DEC-002', live: true, stale: false, status: 'live', version: 4 },
      { decisionId: 'odd', live: true, stale: false, status: 'live', version: 5 },
    ]);
  });
});
