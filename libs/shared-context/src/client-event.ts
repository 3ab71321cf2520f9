import { z } from 'zod';

import { visibilities } from '#event-sourcing';

import { artifactToReference } from './artifacts/artifact.events.js';
import { type ContextCommand } from './context.command.js';
import { type ContextEventType, type RunEventType, idMemberOf } from './context.events.js';
import { decisionToRecord, decisionVerdict } from './decisions/decision.events.js';
import { globalContextToSet, preferencesToSet } from './global/global.events.js';
import { handoverToAcknowledge, handoverToNote } from './handovers/handover.events.js';
import { inputToProvide, inputToRequest } from './input-requests/input-request.events.js';
import { defined } from './json.js';
import { contextClosed, contextReopened } from './life/life.events.js';
import { breakerToTrip, circuitBreakerReset, iterationStarted } from './loops/loop.events.js';
import { phaseCompleted, phaseStarted } from './phases/phase.events.js';
import {
  blockerCleared,
  blockerToRaise,
  dependencyDeclared,
  requirementToRecord,
  riskToRaise,
  riskUpdated,
} from './plan/plan.events.js';
import { qualityScored } from './quality/quality.events.js';
import { recordToAppend } from './records/record.events.js';
import { reviewToRecord } from './reviews/review.events.js';
import { signalEmitted } from './signals/signal.events.js';
import { stepFailed, stepOutputToAdd, stepStarted } from './steps/step.events.js';
import { taskBlocked, taskCompleted, taskStarted, taskToPlan } from './tasks/task.events.js';

/** What a client states of each event it may write; members only the server can know are optional or absent. */
export const clientPayloads = {
  ContextClosed: contextClosed.schema,
  ContextReopened: contextReopened.schema,
  GlobalContextSet: globalContextToSet,
  PreferencesSet: preferencesToSet,
  StepStarted: stepStarted.schema,
  StepOutputAdded: stepOutputToAdd,
  StepFailed: stepFailed.schema,
  TaskPlanned: taskToPlan,
  TaskStarted: taskStarted.schema,
  TaskBlocked: taskBlocked.schema,
  TaskCompleted: taskCompleted.schema,
  PhaseStarted: phaseStarted.schema,
  PhaseCompleted: phaseCompleted.schema,
  IterationStarted: iterationStarted.schema,
  CircuitBreakerTripped: breakerToTrip,
  CircuitBreakerReset: circuitBreakerReset.schema,
  DecisionRecorded: decisionToRecord,
  DecisionApproved: decisionVerdict,
  DecisionRejected: decisionVerdict,
  ArtifactReferenced: artifactToReference,
  RequirementRecorded: requirementToRecord,
  RiskRaised: riskToRaise,
  RiskUpdated: riskUpdated.schema,
  DependencyDeclared: dependencyDeclared.schema,
  BlockerRaised: blockerToRaise,
  BlockerCleared: blockerCleared.schema,
  ReviewRecorded: reviewToRecord,
  RecordAppended: recordToAppend,
  SignalEmitted: signalEmitted.schema,
  QualityScored: qualityScored.schema,
  HandoverNoted: handoverToNote,
  HandoverAcknowledged: handoverToAcknowledge,
  InputRequested: inputToRequest,
  InputProvided: inputToProvide,
} as const;

export type ClientEventType = keyof typeof clientPayloads;

export type ClientPayload<Type extends ClientEventType> = z.output<(typeof clientPayloads)[Type]>;

/** An event as a client asks for it. */
export const clientEvent = z.discriminatedUnion('type', [
  asked('ContextClosed'),
  asked('ContextReopened'),
  asked('GlobalContextSet'),
  asked('PreferencesSet'),
  asked('StepStarted'),
  asked('StepOutputAdded'),
  asked('StepFailed'),
  asked('TaskPlanned'),
  asked('TaskStarted'),
  asked('TaskBlocked'),
  asked('TaskCompleted'),
  asked('PhaseStarted'),
  asked('PhaseCompleted'),
  asked('IterationStarted'),
  asked('CircuitBreakerTripped'),
  asked('CircuitBreakerReset'),
  asked('DecisionRecorded'),
  asked('DecisionApproved'),
  asked('DecisionRejected'),
  asked('ArtifactReferenced'),
  asked('RequirementRecorded'),
  asked('RiskRaised'),
  asked('RiskUpdated'),
  asked('DependencyDeclared'),
  asked('BlockerRaised'),
  asked('BlockerCleared'),
  asked('ReviewRecorded'),
  asked('RecordAppended'),
  asked('SignalEmitted'),
  asked('QualityScored'),
  asked('HandoverNoted'),
  asked('HandoverAcknowledged'),
  asked('InputRequested'),
  asked('InputProvided'),
]);

export type ClientEvent = z.output<typeof clientEvent>;

export function isClientEventType(type: string): type is ClientEventType {
  return Object.hasOwn(clientPayloads, type);
}

/** Events that clients do not state themselves: the server writes them, for requests to endpoints of their own. */
type ServerEventType =
  | 'ContextCreated'
  | 'BaselineImported'
  | 'AgentInputsChecked'
  | 'GatePassed'
  | 'GateFailed'
  | 'ValueDerived'
  | 'SummaryAdded'
  | 'SourceImported'
  | 'IterationsCarried'
  | 'ContextForked'
  | 'ContextRestored'
  | 'CheckpointCreated'
  | RunEventType;

const commandTypes = {
  ContextClosed: 'CloseContext',
  ContextReopened: 'ReopenContext',
  GlobalContextSet: 'SetGlobalContext',
  PreferencesSet: 'SetPreferences',
  StepStarted: 'StartStep',
  StepOutputAdded: 'AddStepOutput',
  StepFailed: 'FailStep',
  TaskPlanned: 'PlanTask',
  TaskStarted: 'StartTask',
  TaskBlocked: 'BlockTask',
  TaskCompleted: 'CompleteTask',
  PhaseStarted: 'StartPhase',
  PhaseCompleted: 'CompletePhase',
  IterationStarted: 'StartIteration',
  CircuitBreakerTripped: 'TripCircuitBreaker',
  CircuitBreakerReset: 'ResetCircuitBreaker',
  DecisionRecorded: 'RecordDecision',
  DecisionApproved: 'ApproveDecision',
  DecisionRejected: 'RejectDecision',
  ArtifactReferenced: 'ReferenceArtifact',
  RequirementRecorded: 'RecordRequirement',
  RiskRaised: 'RaiseRisk',
  RiskUpdated: 'UpdateRisk',
  DependencyDeclared: 'DeclareDependency',
  BlockerRaised: 'RaiseBlocker',
  BlockerCleared: 'ClearBlocker',
  ReviewRecorded: 'RecordReview',
  RecordAppended: 'AppendRecord',
  SignalEmitted: 'EmitSignal',
  QualityScored: 'ScoreQuality',
  HandoverNoted: 'NoteHandover',
  HandoverAcknowledged: 'AcknowledgeHandover',
  InputRequested: 'RequestInput',
  InputProvided: 'ProvideInput',
} as const satisfies Record<Exclude<ContextEventType, ServerEventType>, ContextCommand['type']>;

/** The command that leads to the event a client asks for. `newId` returns a new UUIDv7; it is called if an id was left out. */
export function commandFromEvent(event: ClientEvent, newId: () => string): ContextCommand {
  const { type, visibility } = event;
  // Ids of decisions are counted, which only deciding can.
  const idMember = type === 'DecisionRecorded' ? undefined : idMemberOf(type);
  const data = idMember === undefined ? event.data : withId(event.data, idMember, newId);
  // Both tables are keyed by the type, so payload and command belong together.
  return { type: commandTypes[type], data, visibility } as ContextCommand;
}

/** The id is the first member, whether it was stated or not. */
function withId(payload: ClientEvent['data'], member: string, newId: () => string): object {
  const stated = defined(payload);
  const id = Object.hasOwn(stated, member) ? undefined : newId();
  return { [member]: id, ...stated };
}

function asked<Type extends ClientEventType>(type: Type) {
  return z.strictObject({
    type: z.literal(type),
    data: clientPayloads[type],
    visibility: z.enum(visibilities).optional(),
  });
}
