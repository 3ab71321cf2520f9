import { type z } from 'zod';

import { type decisionToRecord, type decisionVerdict } from './decisions/decision.events.js';
import { type inputToProvide } from './input-requests/input-request.events.js';
import { type InputProvider } from './input-requests/input-provider.js';
import { type CarriedHandover } from './handovers/carried-handover.js';
import { type identifiedReview } from './reviews/review.events.js';
import {
  type ContextEventDefinition,
  type ContextEventType,
  type EventData,
  type Visibility,
} from './context.events.js';
import { type Item } from './item.js';
import { type ContinuedLoop } from './loops/carried-loops.js';
import { type breakerToTrip } from './loops/loop.events.js';
import { type identifiedRisk } from './plan/plan.events.js';
import { type RunInterpretation } from './runs/run-interpretation.js';
import { type AppendRange } from './lineage/inside-append.error.js';

/**
 * The minimum of a measure of an agent's output. `for`: the agent that requires it, if it is not the output's own
 * agent.
 */
export type QualityThreshold = Readonly<{
  output: string;
  gate: string;
  minimum: number;
  for?: string | undefined;
}>;

/** `data` is the payload of the requested event; `visibility` defaults to `record`. */
type Command<Type extends string, Data> = Readonly<{
  type: Type;
  data: Data;
  visibility?: Visibility | undefined;
}>;

type CommandFor<Type extends string, Event extends ContextEventType> = Command<
  Type,
  EventData<Event>
>;

/** `carried`: the open handovers of the context that this one continues. */
export type CreateContext = CommandFor<'CreateContext', 'ContextCreated'> &
  Readonly<{ carried?: readonly CarriedHandover[] | undefined }>;
/** `isRevision`: if the task is planned already, this replaces its plan instead of being refused. */
export type PlanTask = CommandFor<'PlanTask', 'TaskPlanned'> & Readonly<{ isRevision?: boolean }>;
export type ImportBaseline = CommandFor<'ImportBaseline', 'BaselineImported'>;
type ImportSource = CommandFor<'ImportSource', 'SourceImported'>;
/** The limit of a loop without a limit: the setting of the workspace, 3 by default. */
type IterationLimit = Readonly<{ maxIterations?: number | undefined }>;
export type StartIteration = CommandFor<'StartIteration', 'IterationStarted'> & IterationLimit;
export type TripCircuitBreaker = Command<
  'TripCircuitBreaker',
  z.output<typeof breakerToTrip> & Readonly<{ max?: number | undefined }>
> &
  IterationLimit;
/** A decision whose confidence is below the threshold is pending. Without a threshold, confidence has no effect. */
export type RecordDecision = Command<'RecordDecision', z.output<typeof decisionToRecord>> &
  Readonly<{
    confidenceThreshold?: number | null | undefined;
    /** The decision comes from an imported document; its id may have a form that is reserved for the server. */
    isImported?: boolean;
  }>;
export type ApproveDecision = Command<'ApproveDecision', z.output<typeof decisionVerdict>>;
export type RejectDecision = Command<'RejectDecision', z.output<typeof decisionVerdict>>;
type RaiseRisk = Command<'RaiseRisk', z.output<typeof identifiedRisk>>;
/** The signals in one text; may be empty. */
export type EmitSignals = Command<
  'EmitSignals',
  Readonly<{ signals: readonly EventData<'SignalEmitted'>[] }>
>;
export type RecordReview = Command<'RecordReview', z.output<typeof identifiedReview>>;
export type CheckAgentInputs = CommandFor<'CheckAgentInputs', 'AgentInputsChecked'>;
/** `thresholds`: the thresholds of the agent's outputs, with which the scores are compared. */
export type ScoreQuality = CommandFor<'ScoreQuality', 'QualityScored'> &
  Readonly<{ thresholds?: readonly QualityThreshold[] | undefined }>;
/** `author`: the author of the work from which the value is derived; the event gets the same author. */
export type DeriveValue = CommandFor<'DeriveValue', 'ValueDerived'> & Readonly<{ author: string }>;
/**
 * Versions of the newest restore, or of the fork, null if there is none. `sourceLineage`: when the summarized events
 * were read; `lineage`: when the command is decided.
 */
export type AddSummary = CommandFor<'AddSummary', 'SummaryAdded'> &
  Readonly<{ sourceLineage?: number | null | undefined; lineage?: number | null | undefined }>;

/**
 * `provider`: the writer who provides the value; if it is absent, no work is matched, and the request alone holds the
 * value.
 */
type ProvideInput = Command<'ProvideInput', z.output<typeof inputToProvide>> &
  Readonly<{ provider?: InputProvider | undefined }>;

/** `carried`: the counts of loops that differ from those at the version that is forked. */
export type ForkContext = CommandFor<'ForkContext', 'ContextForked'> &
  Readonly<{ carried?: readonly ContinuedLoop[] | undefined }>;
/**
 * Either `version` or `checkpoint` is set. `at`: the version of the context when the command is decided; `loops`: its
 * loops at that version. `resolved`: the version that the checkpoint named when it was looked up, and that it must
 * still name. `append`: the append that contains the target version. `base`: the target version and its loops.
 */
export type RestoreContext = Command<
  'RestoreContext',
  Readonly<{ version?: number | undefined; checkpoint?: string | undefined }>
> &
  Readonly<{
    at?: number | undefined;
    loops?: readonly Item[] | undefined;
    base?: Readonly<{ version: number; loops: readonly Item[] }> | undefined;
    resolved?: number | undefined;
    append?: AppendRange | undefined;
  }>;
/** Names the version `at`, the version of the context when the command is decided. */
export type CreateCheckpoint = Command<'CreateCheckpoint', Readonly<{ name: string }>> &
  Readonly<{ at?: number | undefined }>;

/**
 * Advances a run by an event and its interpretation by the run's definition. `at`: the version of the context when the
 * command is decided.
 */
export type AdvanceRun = Command<'AdvanceRun', Readonly<{ runId: string }>> &
  Readonly<{ interpretation: RunInterpretation; at?: number | undefined }>;

/** Commands whose name or payload differs from their event's client description. */
type SpecialCommand =
  | CreateContext
  | PlanTask
  | ImportBaseline
  | ImportSource
  | StartIteration
  | TripCircuitBreaker
  | RecordDecision
  | ApproveDecision
  | RejectDecision
  | RaiseRisk
  | RecordReview
  | EmitSignals
  | CheckAgentInputs
  | ScoreQuality
  | DeriveValue
  | AddSummary
  | ProvideInput
  | ForkContext
  | RestoreContext
  | CreateCheckpoint
  | AdvanceRun;

/** Commands for events that clients may send, with the payload of the event. */
type PlainCommand<Definition extends ContextEventDefinition> = Definition extends {
  type: infer Event extends ContextEventType;
  client: { command: infer Type extends string };
}
  ? Type extends SpecialCommand['type']
    ? never
    : CommandFor<Type, Event>
  : never;

export type ContextCommand = SpecialCommand | PlainCommand<ContextEventDefinition>;

export type CommandType = ContextCommand['type'];
export type CommandOf<Type extends CommandType> = Extract<ContextCommand, { type: Type }>;
