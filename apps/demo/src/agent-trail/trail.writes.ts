import { type DecisionRecord } from './trail.schema.js';
import { type Chapter, type Trail, type TrailEvent } from './trail.js';

/** An event in the form that clients append. */
export type ClientEvent = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;

/** Events of one agent that are appended together. */
type TrailBatch = Readonly<{ agentId: string | undefined; events: readonly ClientEvent[] }>;

export const retrospectiveStep = 'retrospective';

const maxInBatch = 250;
const longestTopic = 256;

/** Returns the body of POST /contexts for a trail. */
export function contextOf({ contextId, title, metadata, chapters }: Trail) {
  const headings = chapters.map(({ heading }) => heading);
  return { contextId, title, metadata: { ...metadata, chapters: headings } };
}

/** Returns the entries of a trail in order: batches for each chapter, then the retrospective. */
export function batchesOf({ chapters, retrospective }: Trail): readonly TrailBatch[] {
  const topics = new Map<string, string>();
  const batches = chapters.flatMap((chapter, at) => chapterBatches(chapter, at + 1, topics));
  if (retrospective === undefined) return batches;
  const data = { stepId: retrospectiveStep, output: retrospective };
  return [...batches, { agentId: undefined, events: [{ type: 'StepOutputAdded', data }] }];
}

/** `topics`: the latest decision on each topic; decisions of the chapter are added. */
function chapterBatches(
  { stepId, agentId, events }: Chapter,
  chapterNumber: number,
  topics: Map<string, string>,
): readonly TrailBatch[] {
  const clientEvents: ClientEvent[] = [{ type: 'StepStarted', data: { stepId } }];
  for (const [at, event] of events.entries())
    clientEvents.push(
      ...clientEventsOf(event, { stepId, decisionId: `d${chapterNumber}.${at + 1}` }, topics),
    );
  const batches: TrailBatch[] = [];
  for (let from = 0; from < clientEvents.length; from += maxInBatch)
    batches.push({ agentId, events: clientEvents.slice(from, from + maxInBatch) });
  return batches;
}

type EventIds = Readonly<{ stepId: string; decisionId: string }>;

/**
 * Stores each event completely as an output of its chapter. A decision is also stored as a decision, and an error as a
 * failure. `topics`: the latest decision on each topic; a decision is added.
 */
export function clientEventsOf(
  { record, event }: TrailEvent,
  ids: EventIds,
  topics: Map<string, string>,
): readonly ClientEvent[] {
  const { stepId } = ids;
  const name = event?.type ?? 'malformed';
  const output: ClientEvent = { type: 'StepOutputAdded', data: { stepId, name, output: record } };
  if (event?.type === 'decision') return [decisionOf(event, ids, topics), output];
  if (event?.type !== 'error') return [output];
  return [{ type: 'StepFailed', data: { stepId, reason: event.content } }, output];
}

/** The question is the topic, so that a repeated question supersedes the earlier decision. */
function decisionOf(
  { raw }: DecisionRecord,
  { stepId, decisionId }: EventIds,
  topics: Map<string, string>,
): ClientEvent {
  const { question, chosen, alternatives, reasoning } = raw;
  const topic = canBeTopic(question) ? question : undefined;
  const supersedes = topic === undefined ? undefined : topics.get(topic);
  if (topic !== undefined) topics.set(topic, decisionId);
  const rationale = reasoning.trim() === '' ? undefined : reasoning;
  const data = {
    decisionId,
    topic,
    supersedes,
    stepId,
    decision: chosen,
    rationale,
    alternativesConsidered: alternatives,
  };
  return { type: 'DecisionRecorded', data };
}

function canBeTopic(question: string): boolean {
  return question.length <= longestTopic && question.isWellFormed() && !/\p{Cc}/u.test(question);
}
