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
        .meta({ description: 'Iterations ever started, by subject' }),
      searched: { shape: 'map' },
    },
    circuitBreakers: {
      schema: z
        .record(z.string(), breakerSchema)
        .meta({ description: 'Iterations since the newest reset, and how many there may be' }),
      searched: { shape: 'map' },
    },
  },
  kinds: ['loop'],
  listed: [{ kind: 'loop', list: 'circuitBreakers', render: renderLoop }],
  render: renderLoops,
};

/**
 * Where a circuit breaker is: `current` of `max` iterations since its newest reset. Once it was tripped or reset, also
 * who did so last, when and why.
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

/** A loop as differences tell it. */
export function renderLoop(item: Item): JsonObject {
  return { subject: item.key, iterations: loopFacts(item).total, ...renderBreaker(item) };
}

/** Iterations ever started, and the breakers that count them, by subject. */
export function renderLoops(items: readonly Item[]): JsonObject {
  const loops = items
    .filter(({ kind }) => kind === 'loop')
    .toSorted((left, right) => (left.key < right.key ? -1 : 1));
  return {
    iterationCounts: Object.fromEntries(loops.map((item) => [item.key, loopFacts(item).total])),
    circuitBreakers: Object.fromEntries(loops.map((item) => [item.key, renderBreaker(item)])),
  };
}

/** `warning`: the next iteration trips it. */
export function statusOf({ current, max, tripped }: LoopFacts): 'ok' | 'warning' | 'tripped' {
  if (tripped) return 'tripped';
  return current >= max ? 'warning' : 'ok';
}
