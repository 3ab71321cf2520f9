import fc from 'fast-check';

import { contextCommands, contextFrom } from '#testing';

import {
  clientEvent,
  clientPayloads,
  commandFromEvent,
  isClientEventType,
} from './client-event.js';
import { type ContextCommand } from './context.command.js';
import { type ContextEventType, contextEvents } from './context.events.js';
import { asJson, without } from './json.js';
import { approvalEvents } from './runs/approval.events.js';
import { attemptEvents } from './runs/attempt.events.js';
import { runEvents } from './runs/run.events.js';

/** Commands whose events clients cannot repeat from the stored payload, or cannot write at all. */
const unrepeatableCommands = [
  'ApproveDecision',
  'ImportBaseline',
  'ImportSource',
  'CheckAgentInputs',
  'ScoreQuality',
  'DeriveValue',
  'AddSummary',
];

describe('events that clients may write', () => {
  it('are all types except the ones that only the server writes', () => {
    const others = [
      'ContextCreated',
      'ContextForked',
      'ContextRestored',
      'CheckpointCreated',
      'BaselineImported',
      'AgentInputsChecked',
      'GatePassed',
      'GateFailed',
      'ValueDerived',
      'SummaryAdded',
      'IterationsCarried',
      'SourceImported',
      ...[...runEvents, ...attemptEvents, ...approvalEvents].map(({ type }) => type),
    ];
    const types = contextEvents.map(({ type }) => type).filter((type) => !others.includes(type));
    expect(Object.keys(clientPayloads).sort()).toEqual(types.sort());
    expect(isClientEventType('ContextCreated')).toBe(false);
    expect(isClientEventType('toString')).toBe(false);
  });

  it('become commands, with created ids if they are left out', () => {
    const artifact = { artifactType: 'document', path: 'a.md' };
    expect(commandFromEvent({ type: 'ArtifactReferenced', data: artifact }, () => 'made')).toEqual({
      type: 'ReferenceArtifact',
      data: { artifactId: 'made', ...artifact },
    });
    expect(
      commandFromEvent(
        { type: 'StepStarted', data: { stepId: 's' }, visibility: 'working' },
        () => 'made',
      ),
    ).toEqual({ type: 'StartStep', data: { stepId: 's' }, visibility: 'working' });
  });

  it('cannot contain members that only the server knows', () => {
    const data = { decisionId: 'DEC-001', topic: 'database' };
    expect(clientEvent.safeParse({ type: 'DecisionApproved', data }).success).toBe(false);
    expect(clientEvent.safeParse({ type: 'ContextCreated', data: {} }).success).toBe(false);
    expect(isClientEventType('ValueDerived')).toBe(false);
    expect(isClientEventType('SummaryAdded')).toBe(false);
    expect(isClientEventType('GatePassed')).toBe(false);
  });

  it('lead to the same events in another context', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        const { events } = contextFrom(commands.flatMap(repeatable));
        const again = events.map(({ type, data }) =>
          type === 'ContextCreated'
            ? ({ type: 'CreateContext', data } as const)
            : commandFromEvent(
                clientEvent.parse({ type, data: statedByClient(type, data) }),
                () => 'unused',
              ),
        );
        expect(contextFrom(again).events.map(({ type, data }) => ({ type, data }))).toEqual(
          events.map(({ type, data }) => ({ type, data })),
        );
      }),
    );
  });
});

/** Omits commands that clients cannot send, and the limits of refused iterations, which no event contains. */
function repeatable(command: ContextCommand): ContextCommand[] {
  if (unrepeatableCommands.includes(command.type)) return [];
  // The write determines the provider.
  if (command.type === 'ProvideInput') return [{ ...command, provider: undefined }];
  if (command.type !== 'StartIteration') return [command];
  return [{ ...command, data: { subject: command.data.subject } }];
}

/** Members that the decider adds to the client's payload. */
const addedMembers: Partial<Record<ContextEventType, readonly string[]>> = {
  CircuitBreakerTripped: ['current', 'max'],
  HandoverAcknowledged: ['to'],
  InputProvided: ['path', 'requestedBy'],
};

function statedByClient(type: ContextEventType, data: object): object {
  return without(asJson(data), addedMembers[type] ?? []);
}
