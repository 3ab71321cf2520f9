import { z } from 'zod';

import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type DocumentPart } from '../document-part.js';
import { type Item } from '../item.js';
import { asJson, defined, member } from '../json.js';
import { shownVersion } from '../shown-version.js';
import { type LoopFacts, loopFacts } from './loop.item.js';

const breakerSchema = z.looseObject({
  current: z.int(),
  max: z.int(),
  status: z.enum(['ok', 'warning', 'tripped']),
});

export const loopsPart: DocumentPart = {
  members: {
    iterationCounts: {
      schema: z
        .record(z.string(), z.int())
        .meta({ description: 'The total number of started iterations, by subject' }),
      searched: { shape: 'map' },
    },
    circuitBreakers: {
      schema: z.record(z.string(), breakerSchema).meta({
        description: 'Iterations since the newest reset, their limit and the status, by subject',
      }),
      searched: { shape: 'map' },
    },
  },
  kinds: ['loop'],
  listed: [{ kind: 'loop', list: 'circuitBreakers', render: renderLoop }],
  render: renderLoops,
};

/**
 * The state of a circuit breaker: `current` of `max` iterations since its newest reset and, if it was ever tripped or
 * reset, the author, time and reason of the latest such event.
 */
function renderBreaker(item: Item): JsonObject {
  const facts = loopFacts(item);
  const { agentId, timestamp, version } = item.state;
  const reason = isJsonObject(item.body) ? member(item.body, 'reason') : undefined;
  return asJson(
    defined({
      current: facts.current,
      max: facts.max,
      status: statusOf(facts),
      agentId,
      timestamp,
      version: version === undefined ? undefined : shownVersion(Number(version)),
      reason,
    }),
  );
}

/** A loop as comparisons report it. */
export function renderLoop(item: Item): JsonObject {
  return { subject: item.key, iterations: loopFacts(item).total, ...renderBreaker(item) };
}

/** The total iterations and the circuit breakers, by subject. */
export function renderLoops(items: readonly Item[]): JsonObject {
  const loops = items
    .filter(({ kind }) => kind === 'loop')
    .toSorted((left, right) => (left.key < right.key ? -1 : 1));
  return {
    iterationCounts: Object.fromEntries(loops.map((item) => [item.key, loopFacts(item).total])),
    circuitBreakers: Object.fromEntries(loops.map((item) => [item.key, renderBreaker(item)])),
  };
}

/** `warning`: the next iteration trips the circuit breaker. */
export function statusOf({ current, max, tripped }: LoopFacts): 'ok' | 'warning' | 'tripped' {
  if (tripped) return 'tripped';
  return current >= max ? 'warning' : 'ok';
}
