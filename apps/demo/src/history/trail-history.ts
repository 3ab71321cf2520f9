import { clientEvent, commandFromEvent, contextCreated } from '#shared-context';

import { type Trail, type TrailEvent } from '../agent-trail/trail.js';
import {
  type AskedEvent,
  askedOf,
  contextOf,
  retrospectiveStep,
} from '../agent-trail/trail.writes.js';
import { SealedContext, type SealedEvent } from './sealed-context.js';
import { Upstream } from './upstream.js';

/** Something an agent did at a time of its own; `entry` is absent where a chapter begins. */
type Moment = Readonly<{
  at: string;
  agentId: string;
  stepId: string;
  decisionId: string;
  entry: TrailEvent | undefined;
}>;

/** A trail as the events of a context, each recorded when the trail says it happened. */
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

/** Either the run that the trail names, or the trail itself. */
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
  // Chapters overlap; sorting keeps the order of what happened in one moment.
  return moments.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

type Memory = Readonly<{ topics: Map<string, string>; upstream: Upstream }>;

function record(context: SealedContext, moment: Moment, { topics, upstream }: Memory): void {
  const { at, agentId, stepId, decisionId, entry } = moment;
  if (!entry) {
    append(context, { type: 'StepStarted', data: { stepId } }, { agentId, at });
    return;
  }
  let causationId = upstream.causeOf(entry.event);
  for (const asked of askedOf(entry, { stepId, decisionId }, topics)) {
    const eventId = append(context, asked, { agentId, at, causationId });
    upstream.remember(entry.event, asked.type, eventId);
    // What follows of one entry is its record: kept because of what was just stored.
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
  asked: AskedEvent,
  deed: Parameters<SealedContext['do']>[1],
): string | undefined {
  return context.do(
    commandFromEvent(clientEvent.parse(asked), () => ''),
    deed,
  );
}

/** RFC 3339 with milliseconds, or undefined for what is no time. */
function timeOf(stated: unknown): string | undefined {
  if (typeof stated !== 'string' && typeof stated !== 'number') return undefined;
  const time = new Date(stated);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
