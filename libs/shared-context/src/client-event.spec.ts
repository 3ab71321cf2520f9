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

/** What clients say otherwise, or not at all. */
const unasked = [
  'ApproveDecision',
  'ImportBaseline',
  'ImportSource',
  'CheckAgentInputs',
  'ScoreQuality',
  'DeriveValue',
  'AddSummary',
];

describe('events that clients write', () => {
  it('are every type but those that begin a context, take it back, name a version, are taken over, imported, carried on, found, derived, summed up or of a run', () => {
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

  it('become commands, ids made where they are left out', () => {
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

  it('cannot say what only the server knows', () => {
    const data = { decisionId: 'DEC-001', topic: 'database' };
    expect(clientEvent.safeParse({ type: 'DecisionApproved', data }).success).toBe(false);
    expect(clientEvent.safeParse({ type: 'ContextCreated', data: {} }).success).toBe(false);
    expect(isClientEventType('ValueDerived')).toBe(false);
    expect(isClientEventType('SummaryAdded')).toBe(false);
    expect(isClientEventType('GatePassed')).toBe(false);
  });

  it('written again into another context lead to the same events', () => {
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

/** Without what clients do not say, and limits that a refused iteration stated: they are in no event. */
function repeatable(command: ContextCommand): ContextCommand[] {
  if (unasked.includes(command.type)) return [];
  // Who provides it is said by the write.
  if (command.type === 'ProvideInput') return [{ ...command, provider: undefined }];
  if (command.type !== 'StartIteration') return [command];
  return [{ ...command, data: { subject: command.data.subject } }];
}

/** Members that deciding adds to what clients state. */
const addedMembers: Partial<Record<ContextEventType, readonly string[]>> = {
  CircuitBreakerTripped: ['current', 'max'],
  HandoverAcknowledged: ['to'],
  InputProvided: ['path', 'requestedBy'],
};

function statedByClient(type: ContextEventType, data: object): object {
  return without(asJson(data), addedMembers[type] ?? []);
}
