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

/** The minimum of a measure of an agent's output. `for`: the agent that requires it, if it is not the output's own agent. */
export type QualityThreshold = Readonly<{
  output: string;
  gate: string;
  least: number;
  for?: string | undefined;
}>;

/** `data` is the payload of the event it asks for; `visibility` defaults to `record`. */
type Command<Type extends string, Data> = Readonly<{
  type: Type;
  data: Data;
  visibility?: Visibility | undefined;
}>;

type For<Type extends string, Event extends ContextEventType> = Command<Type, EventData<Event>>;

/** `carried`: what is open in the context that this one continues. */
export type CreateContext = For<'CreateContext', 'ContextCreated'> &
  Readonly<{ carried?: readonly CarriedHandover[] | undefined }>;
/** `isRevision`: if the task is planned already, this replaces its plan instead of being refused. */
export type PlanTask = For<'PlanTask', 'TaskPlanned'> & Readonly<{ isRevision?: boolean }>;
export type ImportBaseline = For<'ImportBaseline', 'BaselineImported'>;
type ImportSource = For<'ImportSource', 'SourceImported'>;
/** How often a loop may run where nobody has said so: the workspace's setting, 3 where that is absent. */
type IterationLimit = Readonly<{ maxIterations?: number | undefined }>;
export type StartIteration = For<'StartIteration', 'IterationStarted'> & IterationLimit;
export type TripCircuitBreaker = Command<
  'TripCircuitBreaker',
  z.output<typeof breakerToTrip> & Readonly<{ max?: number | undefined }>
> &
  IterationLimit;
/** Stated with less confidence than the threshold, a decision is pending; null or absent never waits. */
export type RecordDecision = Command<'RecordDecision', z.output<typeof decisionToRecord>> &
  Readonly<{
    confidenceThreshold?: number | null | undefined;
    /** It comes from a document, which may name it as the server would. */
    isImported?: boolean;
  }>;
export type ApproveDecision = Command<'ApproveDecision', z.output<typeof decisionVerdict>>;
export type RejectDecision = Command<'RejectDecision', z.output<typeof decisionVerdict>>;
type RaiseRisk = Command<'RaiseRisk', z.output<typeof identifiedRisk>>;
/** The signals of one text, of which there may be none. */
export type EmitSignals = Command<
  'EmitSignals',
  Readonly<{ signals: readonly EventData<'SignalEmitted'>[] }>
>;
export type RecordReview = Command<'RecordReview', z.output<typeof identifiedReview>>;
export type CheckAgentInputs = For<'CheckAgentInputs', 'AgentInputsChecked'>;
/** `thresholds`: all that apply to the agent's outputs; the scores are compared with them. */
export type ScoreQuality = For<'ScoreQuality', 'QualityScored'> &
  Readonly<{ thresholds?: readonly QualityThreshold[] | undefined }>;
/** `author`: whose work the value follows from, and whose event it will be. */
export type DeriveValue = For<'DeriveValue', 'ValueDerived'> & Readonly<{ author: string }>;
/**
 * `madeBehind`: the newest restore, or the fork, when what it summarizes was read; `lineage`: the newest one when this is
 * decided. Null if there is none.
 */
export type AddSummary = For<'AddSummary', 'SummaryAdded'> &
  Readonly<{ madeBehind?: number | null | undefined; lineage?: number | null | undefined }>;

/** `provider`: who provides it; unknown, the value is found in the request alone. */
type ProvideInput = Command<'ProvideInput', z.output<typeof inputToProvide>> &
  Readonly<{ provider?: InputProvider | undefined }>;

/** `carried`: the counts of loops that differ from those at the version that is forked. */
export type ForkContext = For<'ForkContext', 'ContextForked'> &
  Readonly<{ carried?: readonly ContinuedLoop[] | undefined }>;
/**
 * Either `version` or `checkpoint`. `at`: the version the context has when this is decided, and `loops` what it has of
 * loops then. `resolved`: the version that was looked up, which a checkpoint must still name; `append`: the write that it
 * lies inside of, and `base`: what the context had of loops at the version to go back to.
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
/** Names the version `at`, which the context has when this is decided. */
export type CreateCheckpoint = Command<'CreateCheckpoint', Readonly<{ name: string }>> &
  Readonly<{ at?: number | undefined }>;

/**
 * Something that happened to a run, and what the run's definition makes of it. `at`: the version the context has when this is
 * decided.
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

/** Commands of events that clients may state, with the payload of the event. */
type PlainCommand<Definition extends ContextEventDefinition> = Definition extends {
  type: infer Event extends ContextEventType;
  client: { command: infer Type extends string };
}
  ? Type extends SpecialCommand['type']
    ? never
    : For<Type, Event>
  : never;

export type ContextCommand = SpecialCommand | PlainCommand<ContextEventDefinition>;

export type CommandType = ContextCommand['type'];
export type CommandOf<Type extends CommandType> = Extract<ContextCommand, { type: Type }>;
