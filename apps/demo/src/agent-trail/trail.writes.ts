import { type DecisionRecord } from './trail.schema.js';
import { type Chapter, type Trail, type TrailEvent } from './trail.js';

/** An event as a client asks for it. */
export type AskedEvent = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;

/** Events of one agent that are stored together. */
type TrailBatch = Readonly<{ agentId: string | undefined; events: readonly AskedEvent[] }>;

export const retrospectiveStep = 'retrospective';

const maxInBatch = 250;
const longestTopic = 256;

/** The context of a trail, as POST /contexts takes it. */
export function contextOf({ contextId, title, metadata, chapters }: Trail) {
  const headings = chapters.map(({ heading }) => heading);
  return { contextId, title, metadata: { ...metadata, chapters: headings } };
}

/** What the agents of a trail wrote, in its order: a batch for each chapter, then the retrospective. */
export function batchesOf({ chapters, retrospective }: Trail): readonly TrailBatch[] {
  const topics = new Map<string, string>();
  const batches = chapters.flatMap((chapter, at) => chapterBatches(chapter, at + 1, topics));
  if (retrospective === undefined) return batches;
  const data = { stepId: retrospectiveStep, output: retrospective };
  return [...batches, { agentId: undefined, events: [{ type: 'StepOutputAdded', data }] }];
}

/** `topics`: the decision that holds each topic so far; what is decided here is added. */
function chapterBatches(
  { stepId, agentId, events }: Chapter,
  chapterNumber: number,
  topics: Map<string, string>,
): readonly TrailBatch[] {
  const asked: AskedEvent[] = [{ type: 'StepStarted', data: { stepId } }];
  for (const [at, event] of events.entries())
    asked.push(...askedOf(event, { stepId, decisionId: `d${chapterNumber}.${at + 1}` }, topics));
  const batches: TrailBatch[] = [];
  for (let from = 0; from < asked.length; from += maxInBatch)
    batches.push({ agentId, events: asked.slice(from, from + maxInBatch) });
  return batches;
}

type Place = Readonly<{ stepId: string; decisionId: string }>;

/**
 * Every event is kept whole as an output of its chapter; a decision is a decision besides, an error a failure.
 * `topics`: the decision that holds each topic so far; what is decided here is added.
 */
export function askedOf(
  { record, event }: TrailEvent,
  place: Place,
  topics: Map<string, string>,
): readonly AskedEvent[] {
  const { stepId } = place;
  const name = event?.type ?? 'malformed';
  const output: AskedEvent = { type: 'StepOutputAdded', data: { stepId, name, output: record } };
  if (event?.type === 'decision') return [decisionOf(event, place, topics), output];
  if (event?.type !== 'error') return [output];
  return [{ type: 'StepFailed', data: { stepId, reason: event.content } }, output];
}

/** The question is what at most one live decision answers: asking it again supersedes. */
function decisionOf(
  { raw }: DecisionRecord,
  { stepId, decisionId }: Place,
  topics: Map<string, string>,
): AskedEvent {
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
