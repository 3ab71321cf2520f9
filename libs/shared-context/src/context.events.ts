import { type Envelope, type EventOf, EventRegistry } from '#event-sourcing';

import { artifactEvents } from './artifacts/artifact.events.js';
import { decisionEvents } from './decisions/decision.events.js';
import { derivedEvents } from './derived/derived.events.js';
import { globalEvents } from './global/global.events.js';
import { handoverEvents } from './handovers/handover.events.js';
import { inputRequestEvents } from './input-requests/input-request.events.js';
import { lifeEvents } from './life/life.events.js';
import { loopEvents } from './loops/loop.events.js';
import { baselineEvents } from './metrics/baseline.events.js';
import { phaseEvents } from './phases/phase.events.js';
import { planEvents } from './plan/plan.events.js';
import { qualityEvents } from './quality/quality.events.js';
import { recordEvents } from './records/record.events.js';
import { reviewEvents } from './reviews/review.events.js';
import { approvalEvents } from './runs/approval.events.js';
import { attemptEvents } from './runs/attempt.events.js';
import { runEvents } from './runs/run.events.js';
import { signalEvents } from './signals/signal.events.js';
import { sourceEvents } from './sources/source-document.events.js';
import { stepEvents } from './steps/step.events.js';
import { summaryEvents } from './summaries/summary.events.js';
import { taskEvents } from './tasks/task.events.js';
import { lineageEvents } from './lineage/lineage.events.js';

/** In the order of the documentation. */
export const contextEvents = [
  ...lifeEvents,
  ...globalEvents,
  ...stepEvents,
  ...taskEvents,
  ...phaseEvents,
  ...loopEvents,
  ...baselineEvents,
  ...decisionEvents,
  ...artifactEvents,
  ...planEvents,
  ...reviewEvents,
  ...recordEvents,
  ...signalEvents,
  ...qualityEvents,
  ...handoverEvents,
  ...inputRequestEvents,
  ...derivedEvents,
  ...summaryEvents,
  ...sourceEvents,
  ...lineageEvents,
  ...runEvents,
  ...attemptEvents,
  ...approvalEvents,
] as const;

export const contextRegistry = new EventRegistry(contextEvents);

export type ContextEventDefinition = (typeof contextEvents)[number];
export type ContextEvent = EventOf<ContextEventDefinition>;
export type ContextEventType = ContextEvent['type'];
export type EventData<Type extends ContextEventType> = Extract<
  ContextEvent,
  { type: Type }
>['data'];

export type Visibility = Envelope['visibility'];

/**
 * An event that is decided and not yet recorded, with its visibility. `principal`, `origin` and `trust` are present if
 * they differ from the writer's.
 */
export type NewContextEvent = ContextEvent &
  Readonly<{ visibility: Visibility }> &
  Partial<Omit<PreservedFacts, 'visibility'>> &
  PrincipalOverride;

/** The principal of an event that is stored together with events of another principal. */
type PrincipalOverride = Readonly<{ principal?: string }>;

/** The envelope members that an event keeps when it is recorded again in another context. */
export type PreservedFacts = Readonly<Pick<Envelope, 'origin' | 'trust' | 'visibility'>>;

/** An event that a rule decides; absent members are taken from the command and the writer. */
export type DecidedEvent = ContextEvent & Partial<PreservedFacts> & PrincipalOverride;

/**
 * Facts that recording adds to an event, from its envelope and its version. `bytes`: UTF-8 length of the payload's
 * JSON.
 */
export type RecordedFacts = Readonly<{
  eventId: string;
  version: number;
  bytes: number;
  /** The version of this context that the author had read, according to the cited receipt. */
  basedOnVersion?: number | undefined;
}> &
  Pick<Envelope, 'recordedAt' | 'principal' | 'origin' | 'trust' | 'visibility' | 'idempotency'>;

export type RecordedContextEvent = ContextEvent & RecordedFacts;

export type RecordedOf<Type extends ContextEventType> = Extract<ContextEvent, { type: Type }> &
  RecordedFacts;

/** The author of an event: the agent for whom the principal acted, or the imported author; else the principal. */
export function authorOf({
  origin,
  principal,
}: Pick<RecordedFacts, 'origin' | 'principal'>): string {
  return origin?.agentId ?? principal;
}

/** The time of an event according to its author; else the time at which it was stored. */
export function happenedAt({
  origin,
  recordedAt,
}: Pick<RecordedFacts, 'origin' | 'recordedAt'>): string {
  return origin?.timestamp ?? recordedAt;
}

const idMembers: ReadonlyMap<ContextEventType, string | undefined> = new Map(
  contextEvents.map(({ type, idMember }) => [type, idMember]),
);

/** The member with the id of the item that an event of this type creates. */
export function idMemberOf(type: ContextEventType): string | undefined {
  return idMembers.get(type);
}

/**
 * The created ids that a response to a write reports. Carried items are omitted: they may be hidden from the writer.
 */
export function createdIds({ type, data }: ContextEvent): Readonly<Record<string, string>> {
  const name = Object.hasOwn(data, 'carriedFrom') ? undefined : idMembers.get(type);
  return name === undefined ? {} : { [name]: String(Reflect.get(data, name)) };
}
