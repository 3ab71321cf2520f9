import { isJsonObject } from '#event-sourcing';
import { type ContextEvent, type EventData, type PreservedFacts } from '../context.events.js';
import { type Item } from '../item.js';
import { asJson, defined, jsonEquals, member } from '../json.js';
import { iterationsCarried } from './loop.events.js';
import { loopFacts } from './loop.item.js';

/** An event that continues the counts of a loop after a fork or a restore, with the same readers. */
export type ContinuedLoop = Extract<ContextEvent, { type: 'IterationsCarried' }> &
  Partial<PreservedFacts>;

/**
 * The events that preserve the loop counts of `now` when the content of a context is replaced by that of a version with
 * the loops `atBase`. Loops with equal counts need no event. The author of each event is the author of the loop's
 * latest change; its visibility is `working` if any source of the loop is, so that no audience sees a loop that was
 * hidden before.
 */
export function continuedLoops(now: Iterable<Item>, atBase: Iterable<Item>): ContinuedLoop[] {
  const before = new Map(Array.from(loopsIn(atBase), (loop) => [loop.key, asJson(countsOf(loop))]));
  return loopsIn(now)
    .filter((loop) => !jsonEquals(asJson(countsOf(loop)), before.get(loop.key)))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .map((loop) => ({ type: 'IterationsCarried', data: countsOf(loop), ...envelopeFactsOf(loop) }));
}

/** The events without versions, for a context with other versions. */
export function withoutVersions(events: readonly ContinuedLoop[]): ContinuedLoop[] {
  return events.map((event) => ({
    ...event,
    data: defined({ ...event.data, version: undefined }),
  }));
}

function loopsIn(items: Iterable<Item>): Item[] {
  return [...items].filter(({ kind }) => kind === 'loop');
}

function countsOf(loop: Item): EventData<'IterationsCarried'> {
  const { agentId, timestamp, version } = loop.state;
  const reason = isJsonObject(loop.body) ? member(loop.body, 'reason') : undefined;
  const last = defined({ agentId, timestamp, version, reason });
  return iterationsCarried.schema.parse({ subject: loop.key, ...loopFacts(loop), ...last });
}

function envelopeFactsOf({ sources }: Item): Partial<PreservedFacts> {
  const newest = sources?.at(-1);
  if (!sources || !newest) return { visibility: 'working' };
  const isRecord = sources.every(({ visibility }) => visibility === 'record');
  const origin = { agentId: newest.author, timestamp: null };
  return { visibility: isRecord ? 'record' : 'working', origin };
}
