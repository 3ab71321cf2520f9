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

/** In the order in which the documentation shows those that clients may state. */
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
 * Decided, not yet recorded: what happened and who may see it; `principal`, `origin` and `trust` where they are not the writer's.
 */
export type NewContextEvent = ContextEvent &
  Readonly<{ visibility: Visibility }> &
  Partial<Omit<Restated, 'visibility'>> &
  Concluded;

/** Whose conclusion an event is, if it is stored with a report of somebody else. */
type Concluded = Readonly<{ principal?: string }>;

/** What is kept of an event that is stated again in another context: whose it is, how far trusted and seen by whom. */
export type Restated = Readonly<Pick<Envelope, 'origin' | 'trust' | 'visibility'>>;

/** What a command comes to; members left out are the command's and the writer's. */
export type DecidedEvent = ContextEvent & Partial<Restated> & Concluded;

/** What recording adds to an event, from its envelope and its place. `bytes`: UTF-8 length of the payload's JSON. */
export type RecordedFacts = Readonly<{
  eventId: string;
  version: number;
  bytes: number;
  /** The version of this context that its author had read, by the receipt it cites. */
  basedOnVersion?: number | undefined;
}> &
  Pick<Envelope, 'recordedAt' | 'principal' | 'origin' | 'trust' | 'visibility' | 'idempotency'>;

export type RecordedContextEvent = ContextEvent & RecordedFacts;

export type RecordedOf<Type extends ContextEventType> = Extract<ContextEvent, { type: Type }> &
  RecordedFacts;

/** Whose work an event is: acted for or imported authors before the principal. */
export function authorOf({
  origin,
  principal,
}: Pick<RecordedFacts, 'origin' | 'principal'>): string {
  return origin?.agentId ?? principal;
}

/** When the author says it happened; `recordedAt` is when it was stored. */
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

/** Ids an answer to a write states, from the stored event alone: not of what was only carried over, perhaps unseen. */
export function madeIds({ type, data }: ContextEvent): Readonly<Record<string, string>> {
  const name = Object.hasOwn(data, 'carriedFrom') ? undefined : idMembers.get(type);
  return name === undefined ? {} : { [name]: String(Reflect.get(data, name)) };
}
