import { readFileSync } from 'node:fs';

import { UndecodableEventError } from '#event-sourcing';

import { contextEvents, contextRegistry, createdIds } from './context.events.js';

type Line = Readonly<{
  type: string;
  schemaVersion: number;
  data: Readonly<Record<string, unknown>>;
}>;

// Stored payloads of the first release. Lines are never edited; a new shape gets a new file.
const stored = linesOf('events-v1.jsonl');
// Stored payloads of types whose schema has changed once.
const second = linesOf('events-v2.jsonl');
// Stored payloads with names of agents that are no longer valid as input.
const confusable = linesOf('names-v1.jsonl');

describe('stored events', () => {
  it.each([...stored, ...second, ...confusable])('of type $type are read as written', (line) => {
    const { data } = contextRegistry.decode(line);
    expect(JSON.stringify(data)).toBe(JSON.stringify(line.data));
  });

  it('have a fixture for every type', () => {
    expect(new Set(stored.map(({ type }) => type))).toEqual(
      new Set(contextEvents.map(({ type }) => type)),
    );
  });

  it.each(second)('of version 2 of $type are read as written', (line) => {
    expect(contextRegistry.find(line.type)?.version).toBe(2);
    expect(contextRegistry.decode(line).data).toEqual(line.data);
  });

  it.each([
    ['ContextClosed', { outcome: 'failed' }],
    ['InputProvided', { inputRequestId: 'IN-1', path: 'global_context.budget' }],
    ['InputProvided', { inputRequestId: 'IN-1', requestedBy: 'pm' }],
    ['HandoverAcknowledged', { handoverId: 'HO-1', to: 'pm' }],
    ['TaskPlanned', { taskId: '1.1', title: 't', partOf: '1' }],
    ['RequirementRecorded', { requirementId: 'AC1', kind: 'functional', text: 't', met: false }],
    ['DecisionRecorded', { decisionId: 'ADR-1', decision: 'd', date: '2024-02-29' }],
    [
      'ReviewRecorded',
      { reviewId: 'r', artifact: 'a', status: 'APPROVED', keyIssues: [], gate: 'PASS' },
    ],
    ['ArtifactReferenced', { artifactId: 'a', artifactType: 't', path: 'p', change: 'created' }],
    [
      'StepOutputAdded',
      {
        stepId: 'review',
        output: null,
        run: { runId: 'r', at: '2026-11-25T18:00:00.000Z', path: 'review#1', visit: 1, attempt: 1 },
      },
    ],
  ])('of %s cannot have a member of a later schema version', (type, data) => {
    const decode = (schemaVersion: number) => () =>
      contextRegistry.decode({ type, schemaVersion, data });
    expect(decode(1)).toThrow(UndecodableEventError);
    expect(decode(2)().data).toEqual(data);
  });

  it.each([...stored, ...second])(
    'of type $type are refused with an additional member',
    ({ data, ...line }) => {
      const decode = (name: string) =>
        contextRegistry.decode({
          ...line,
          data: Object.fromEntries([...Object.entries(data), [name, 1]]),
        });
      expect(() => decode('extra')).toThrow(UndecodableEventError);
      expect(() => decode('__proto__')).toThrow(UndecodableEventError);
    },
  );

  it('contain any JSON without a copy', () => {
    const output = JSON.parse('{"__proto__":{"a":1},"":[],"\\u0000":"\\ud800"}') as object;
    const { data } = contextRegistry.decode({
      type: 'StepOutputAdded',
      schemaVersion: 1,
      data: { stepId: 's', output },
    });
    expect((data as { output: unknown }).output).toBe(output);
  });
});

describe('identifiers', () => {
  const started = (stepId: unknown) => () =>
    contextRegistry.decode({ type: 'StepStarted', schemaVersion: 1, data: { stepId } });

  it.each(['a', 'step 1/ä?', '😀'.repeat(256), '__proto__'])('may be %j', (stepId) => {
    expect(started(stepId)().data).toEqual({ stepId });
  });

  it.each(['', 'a\u0000', 'a\u0085', '\ud800', '😀'.repeat(257), 'a'.repeat(257), 1, null])(
    'may not be %j',
    (stepId) => {
      expect(started(stepId)).toThrow(UndecodableEventError);
    },
  );
});

describe('the created ids in a response', () => {
  it('are the ids of items that an event creates', () => {
    const task = { taskId: 'task-001', title: 'User model' };
    const handover = { handoverId: 'H-1', to: 'sdd-pe', note: 'n' };
    expect(createdIds({ type: 'HandoverNoted', data: handover })).toEqual({ handoverId: 'H-1' });
    const carriedFrom = { contextId: 'c', handoverId: 'H-1' };
    expect(createdIds({ type: 'HandoverNoted', data: { ...handover, carriedFrom } })).toEqual({});
    const request = { inputRequestId: 'IN-1', path: 'p', from: 'sdd-ba' };
    expect(createdIds({ type: 'InputRequested', data: request })).toEqual({
      inputRequestId: 'IN-1',
    });
    expect(createdIds({ type: 'TaskPlanned', data: task })).toEqual({ taskId: 'task-001' });
    const decision = { decisionId: 'DEC-001', decision: 'x' };
    const artifact = { artifactId: 'a', artifactType: 't', path: 'p' };
    expect(createdIds({ type: 'DecisionRecorded', data: decision })).toEqual({
      decisionId: 'DEC-001',
    });
    expect(createdIds({ type: 'ArtifactReferenced', data: artifact })).toEqual({ artifactId: 'a' });
    const requirement = { requirementId: 'R-1', kind: 'constraint', text: 't' } as const;
    const risk = { riskId: 'RISK-1', severity: 'low', description: 'd' } as const;
    const blocker = { blockerId: 'B-1', description: 'd' };
    expect(createdIds({ type: 'RequirementRecorded', data: requirement })).toEqual({
      requirementId: 'R-1',
    });
    expect(createdIds({ type: 'RiskRaised', data: risk })).toEqual({ riskId: 'RISK-1' });
    expect(createdIds({ type: 'RiskUpdated', data: { riskId: 'RISK-1', status: 'open' } })).toEqual(
      {},
    );
    expect(createdIds({ type: 'BlockerRaised', data: blocker })).toEqual({ blockerId: 'B-1' });
    const review = {
      reviewId: 'REV-1',
      artifact: 'a.md',
      status: 'APPROVED',
      keyIssues: [],
    } as const;
    expect(createdIds({ type: 'ReviewRecorded', data: { ...review, keyIssues: [] } })).toEqual({
      reviewId: 'REV-1',
    });
    const record = { recordId: 'REC-1', kind: 'custom', body: 'b' } as const;
    expect(createdIds({ type: 'RecordAppended', data: record })).toEqual({ recordId: 'REC-1' });
    expect(createdIds({ type: 'StepStarted', data: { stepId: 's' } })).toEqual({});
  });
});

function linesOf(fixture: string): Line[] {
  return readFileSync(new URL(`../fixtures/${fixture}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
