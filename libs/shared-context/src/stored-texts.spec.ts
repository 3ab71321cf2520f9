import { inputRuleFaults } from '#event-sourcing';
import { contextAfter, did } from '#testing';

import { type ClientEvent, clientPayloads, commandFromEvent } from './client-event.js';
import { decideContext, namedKeys, requiredKeys } from './context.decider.js';
import { RuleViolationError } from './context.errors.js';
import { type NewContextEvent, contextRegistry } from './context.events.js';
import { contextToCreate } from './life/life.events.js';

/** Payloads that clients could send before the rules for input existed. */
const stored: readonly (readonly [keyof typeof clientPayloads, object])[] = [
  ['HandoverNoted', { handoverId: '.', to: ' ', note: ' ' }],
  ['DecisionRecorded', { decisionId: '..', decision: '   ' }],
  ['StepOutputAdded', { stepId: ' ', output: null }],
  ['TaskPlanned', { taskId: '.', title: ' ' }],
  ['RecordAppended', { recordId: '.', kind: 'custom', body: ' ' }],
  ['ArtifactReferenced', { artifactId: '.', artifactType: ' ', path: ' ' }],
];

describe('texts without a visible character, and ids that paths cannot contain', () => {
  it.each(stored)('stay readable in a stored %s, and are refused as input', (type, data) => {
    expect(contextRegistry.decode({ type, schemaVersion: 1, data })).toMatchObject({ type, data });
    const isInput =
      clientPayloads[type].safeParse(data).success &&
      inputRuleFaults(clientPayloads[type], data).faults.length === 0;
    const event = { type, data } as ClientEvent;
    expect(isInput && takenAfter(event, did('ContextCreated', {}))).toBe(false);
  });

  it('stay readable as the title of a stored creation, and are refused as input', () => {
    const type = 'ContextCreated';
    for (const title of ['', ' ']) {
      const data = { title };
      expect(contextRegistry.decode({ type, schemaVersion: 1, data })).toMatchObject({ data });
      expect(inputRuleFaults(contextToCreate, data).faults).toMatchObject([{ path: ['title'] }]);
    }
    expect(inputRuleFaults(contextToCreate, {}).faults).toEqual([]);
  });

  it.each([
    ['TaskCompleted', { taskId: '.' }],
    ['HandoverAcknowledged', { handoverId: ' ' }],
    ['BlockerCleared', { blockerId: '..' }],
    ['RiskUpdated', { riskId: '.', status: 'closed' }],
    ['InputProvided', { inputRequestId: '.' }],
    ['DecisionApproved', { decisionId: '.' }],
    ['CircuitBreakerReset', { subject: '.' }],
  ] as const)('can refer to stored items: %s', (type, data) => {
    expect(inputRuleFaults(clientPayloads[type], data).faults).toEqual([]);
  });
});

const step = did('StepStarted', { stepId: '.' });
const failed = did('StepFailed', { stepId: '.', reason: 'r' });
const loop = did('IterationStarted', { subject: ' ' });
const decision = did('DecisionRecorded', { decisionId: '..', topic: '.', decision: 'd' });

/** Events that refer to an item, the pointer to its id, and an event that creates the item. */
const references: readonly (readonly [ClientEvent, string, NewContextEvent])[] = [
  [{ type: 'StepStarted', data: { stepId: '.' } }, '/stepId', failed],
  [{ type: 'StepOutputAdded', data: { stepId: '.', output: 1 } }, '/stepId', step],
  [{ type: 'StepFailed', data: { stepId: '.', reason: 'r' } }, '/stepId', step],
  [
    { type: 'StepOutputAdded', data: { stepId: 's', output: 1, artifactIds: ['a', '..'] } },
    '/artifactIds/1',
    did('ArtifactReferenced', { artifactId: '..', artifactType: 't', path: 'p' }),
  ],
  [
    { type: 'ArtifactReferenced', data: { artifactId: '..', artifactType: 't', path: 'q' } },
    '/artifactId',
    did('ArtifactReferenced', { artifactId: '..', artifactType: 't', path: 'p' }),
  ],
  [
    { type: 'ArtifactReferenced', data: { stepId: '.', artifactType: 't', path: 'q' } },
    '/stepId',
    step,
  ],
  [{ type: 'PhaseStarted', data: { phase: '.' } }, '/phase', did('PhaseCompleted', { phase: '.' })],
  [{ type: 'PhaseCompleted', data: { phase: '.' } }, '/phase', did('PhaseStarted', { phase: '.' })],
  [{ type: 'IterationStarted', data: { subject: ' ' } }, '/subject', loop],
  [{ type: 'CircuitBreakerTripped', data: { subject: ' ' } }, '/subject', loop],
  [
    { type: 'DecisionRecorded', data: { decision: 'd', topic: '.', supersedes: '..' } },
    '/topic',
    decision,
  ],
  [{ type: 'DecisionRecorded', data: { decision: 'd', stepId: '.' } }, '/stepId', step],
  [
    {
      type: 'DecisionRecorded',
      data: { decision: 'd', relatedDecisions: [{ decisionId: '..', relation: 'enables' }] },
    },
    '/relatedDecisions/0/decisionId',
    decision,
  ],
  [
    { type: 'RequirementRecorded', data: { requirementId: '.', kind: 'functional', text: 'u' } },
    '/requirementId',
    did('RequirementRecorded', { requirementId: '.', kind: 'functional', text: 't' }),
  ],
  [
    { type: 'DependencyDeclared', data: { name: '..', kind: 'internal' } },
    '/name',
    did('DependencyDeclared', { name: '..', kind: 'external' }),
  ],
  [{ type: 'RecordAppended', data: { kind: 'custom', body: 'b', stepId: '.' } }, '/stepId', step],
];

describe('an id that no client may choose', () => {
  it.each(references)(
    'is accepted only for an existing item: %j at %s',
    (event, pointer, stored) => {
      const created = did('ContextCreated', {});
      expect(clientPayloads[event.type].safeParse(event.data).success).toBe(true);
      expect(inputRuleFaults(clientPayloads[event.type], event.data).faults).toEqual([]);
      expect(takenAfter(event, created, stored)).toBe(true);
      expect(() => decided(event, created)).toThrow(
        expect.objectContaining({
          code: 'validation-failed',
          issues: [{ pointer, detail: expect.stringMatching(/: choose (another id|an id that)/) }],
        }),
      );
    },
  );

  it.each(references)('is among the required and named keys: %j', (event, _, stored) => {
    const command = commandFromEvent(event, () => 'new');
    const after = contextAfter(did('ContextCreated', {}), stored);
    const unusable = namedKeys(command).filter(({ key }) => ['.', '..', ' '].includes(key));
    expect(unusable).not.toEqual([]);
    expect(requiredKeys(command, () => undefined)).toEqual(expect.arrayContaining([...unusable]));
    for (const { kind, key } of unusable) expect(after.get(kind, key)).toBeDefined();
  });
});

function takenAfter(event: ClientEvent, ...past: readonly NewContextEvent[]): boolean {
  try {
    return decided(event, ...past).length > 0;
  } catch (error) {
    if (error instanceof RuleViolationError) return false;
    throw error;
  }
}

function decided(event: ClientEvent, ...past: readonly NewContextEvent[]) {
  return decideContext(
    commandFromEvent(event, () => 'new'),
    contextAfter(...past).lookup,
  );
}
