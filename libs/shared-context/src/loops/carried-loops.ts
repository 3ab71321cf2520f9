import { isJsonObject } from '#event-sourcing';
import { type ContextEvent, type EventData, type Restated } from '../context.events.js';
import { type Item } from '../item.js';
import { asJson, defined, jsonEquals, member } from '../json.js';
import { iterationsCarried } from './loop.events.js';
import { loopFacts } from './loop.item.js';

/** A loop as it goes on, seen by those who saw it before. */
export type ContinuedLoop = Extract<ContextEvent, { type: 'IterationsCarried' }> &
  Partial<Restated>;

/**
 * The events that let a context go on with the counts it has `now`, although its contents are those of a version at which
 * its loops were as in `atBase`. Loops that are alike need none. Each has the author of what the loop was last changed by,
 * and is `working` if any of that is, so that no audience sees a loop that it did not see before.
 */
export function continuedLoops(now: Iterable<Item>, atBase: Iterable<Item>): ContinuedLoop[] {
  const before = new Map(Array.from(loopsIn(atBase), (loop) => [loop.key, asJson(countsOf(loop))]));
  return loopsIn(now)
    .filter((loop) => !jsonEquals(asJson(countsOf(loop)), before.get(loop.key)))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .map((loop) => ({ type: 'IterationsCarried', data: countsOf(loop), ...envelopeFactsOf(loop) }));
}

/** As they are said in a context with versions of its own. */
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

function envelopeFactsOf({ sources }: Item): Partial<Restated> {
  const newest = sources?.at(-1);
  if (!sources || !newest) return { visibility: 'working' };
  const isRecord = sources.every(({ visibility }) => visibility === 'record');
  const origin = { agentId: newest.author, timestamp: null };
  return { visibility: isRecord ? 'record' : 'working', origin };
}
