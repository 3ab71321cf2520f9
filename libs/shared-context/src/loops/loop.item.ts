import { type Item, type ItemKey, type ItemLookup } from '../item.js';

/** The facts about a loop that rules use. `current`: iterations since the newest reset. */
export type LoopFacts = Readonly<{
  total: number;
  current: number;
  max: number;
  tripped: boolean;
}>;

export function loopKey(subject: string): ItemKey {
  return { kind: 'loop', key: subject };
}

export function findLoop(subject: string, current: ItemLookup): LoopFacts | undefined {
  const item = current('loop', subject);
  return item && loopFacts(item);
}

/** Whether a loop has reached `max` iterations, or its own limit if `max` is absent. */
export function isAtLimit(
  { subject, max }: Readonly<{ subject: string; max?: number | undefined }>,
  current: ItemLookup,
): boolean {
  const loop = findLoop(subject, current);
  return loop !== undefined && loop.current >= (max ?? loop.max);
}

/** Reads the state of a loop, which only loop.fold.ts writes. */
export function loopFacts({ state }: Item): LoopFacts {
  return {
    total: Number(state['total']),
    current: Number(state['current']),
    max: Number(state['max']),
    tripped: state['tripped'] === true,
  };
}
