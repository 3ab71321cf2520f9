import { clientPayloads } from './client-event.js';
import { contextRegistry } from './context.events.js';
import { inputRuleFaults } from '#event-sourcing';

/** Payloads as clients could state them before texts and ids were held against rules of input. */
const stored: readonly (readonly [keyof typeof clientPayloads, object])[] = [
  ['HandoverNoted', { handoverId: '.', to: ' ', note: ' ' }],
  ['DecisionRecorded', { decisionId: '..', decision: '   ' }],
  ['StepOutputAdded', { stepId: ' ', output: null }],
  ['TaskPlanned', { taskId: '.', title: ' ' }],
  ['RecordAppended', { recordId: '.', kind: 'custom', body: ' ' }],
  ['ArtifactReferenced', { artifactId: '.', artifactType: ' ', path: ' ' }],
];

describe('texts without a visible character, and ids that paths cannot name', () => {
  it.each(stored)('stay readable in a stored %s, and are no input', (type, data) => {
    expect(contextRegistry.decode({ type, schemaVersion: 1, data })).toMatchObject({ type, data });
    const refused =
      !clientPayloads[type].safeParse(data).success ||
      [...inputRuleFaults(clientPayloads[type], data)].length > 0;
    expect(refused).toBe(true);
  });

  it.each([
    ['TaskCompleted', { taskId: '.' }],
    ['HandoverAcknowledged', { handoverId: ' ' }],
    ['BlockerCleared', { blockerId: '..' }],
    ['RiskUpdated', { riskId: '.', status: 'closed' }],
    ['InputProvided', { inputRequestId: '.' }],
    ['DecisionApproved', { decisionId: '.' }],
    ['CircuitBreakerReset', { subject: '.' }],
  ] as const)('name what is stored under them: %s', (type, data) => {
    expect([...inputRuleFaults(clientPayloads[type], data)]).toEqual([]);
  });
});
