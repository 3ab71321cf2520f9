import { clientEvent, commandFromEvent, contextCreated } from '#shared-context';

import { type Trail, type TrailEvent } from '../agent-trail/trail.js';
import {
  type ClientEvent,
  clientEventsOf,
  contextOf,
  retrospectiveStep,
} from '../agent-trail/trail.writes.js';
import { SealedContext, type SealedEvent } from './sealed-context.js';
import { Upstream } from './upstream.js';

/** An entry with its time and agent; `entry` is undefined for the start of a chapter. */
type Moment = Readonly<{
  at: string;
  agentId: string;
  stepId: string;
  decisionId: string;
  entry: TrailEvent | undefined;
}>;

/** Converts a trail to the events of a context, recorded at the times of the trail. */
export function historyOf(trail: Trail): readonly SealedEvent[] {
  const context = new SealedContext(trail.contextId, runOf(trail));
  const { title, metadata } = contextOf(trail);
  const moments = momentsOf(trail);
  const at = timeOf(trail.metadata['startedAt']) ?? moments[0]?.at ?? '';
  const data = contextCreated.schema.parse({ title, metadata });
  context.do({ type: 'CreateContext', data }, { agentId: null, at });
  const upstream = new Upstream();
  const topics = new Map<string, string>();
  for (const moment of moments) record(context, moment, { topics, upstream });
  conclude(context, trail, moments.at(-1)?.at ?? at);
  return context.events;
}

/** Returns the id of the run that the trail names, or of the trail itself. */
function runOf({ contextId, metadata }: Trail): string {
  const task = metadata['task'];
  const source = typeof task === 'object' && task !== null && 'source' in task ? task.source : null;
  const id = typeof source === 'object' && source !== null && 'id' in source ? source.id : null;
  return typeof id === 'string' ? id : contextId;
}

function momentsOf({ chapters }: Trail): readonly Moment[] {
  const moments = chapters.flatMap(({ stepId, agentId, heading, events }, chapterAt) => {
    let at = timeOf(heading['startedAt']) ?? '';
    const begins: Moment = { at, agentId, stepId, decisionId: '', entry: undefined };
    const entries = events.map((entry, eventAt): Moment => {
      at = timeOf(entry.event?.ts) ?? at;
      return { at, agentId, stepId, decisionId: `d${chapterAt + 1}.${eventAt + 1}`, entry };
    });
    return [begins, ...entries];
  });
  // Chapters overlap. The sort is stable for entries with the same time.
  return moments.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

type RecordState = Readonly<{ topics: Map<string, string>; upstream: Upstream }>;

function record(context: SealedContext, moment: Moment, { topics, upstream }: RecordState): void {
  const { at, agentId, stepId, decisionId, entry } = moment;
  if (!entry) {
    append(context, { type: 'StepStarted', data: { stepId } }, { agentId, at });
    return;
  }
  let causationId = upstream.causeOf(entry.event);
  for (const event of clientEventsOf(entry, { stepId, decisionId }, topics)) {
    const eventId = append(context, event, { agentId, at, causationId });
    upstream.remember(entry.event, event.type, eventId);
    // The next event of the same entry is caused by this one.
    causationId = eventId;
  }
}

function conclude(
  context: SealedContext,
  { retrospective, metadata }: Trail,
  latest: string,
): void {
  if (retrospective === undefined) return;
  const data = { stepId: retrospectiveStep, output: retrospective };
  const at = timeOf(metadata['completedAt']) ?? latest;
  append(context, { type: 'StepOutputAdded', data }, { agentId: null, at });
}

function append(
  context: SealedContext,
  event: ClientEvent,
  origin: Parameters<SealedContext['do']>[1],
): string | undefined {
  return context.do(
    commandFromEvent(clientEvent.parse(event), () => ''),
    origin,
  );
}

/** Returns RFC 3339 with milliseconds; undefined if the value is not a time. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
