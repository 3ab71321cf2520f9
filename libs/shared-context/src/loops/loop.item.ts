import { type Item, type ItemKey, type ItemLookup } from '../item.js';

/** What rules know of a loop. `current`: iterations since the newest reset. */
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

/** Whether a loop has had as many iterations as `max`, or its own limit, allows. */
export function isAtLimit(
  { subject, max }: Readonly<{ subject: string; max?: number | undefined }>,
  current: ItemLookup,
): boolean {
  const loop = findLoop(subject, current);
  return loop !== undefined && loop.current >= (max ?? loop.max);
}

/** Only the fold beside this file writes the state of a loop. */
export function loopFacts({ state }: Item): LoopFacts {
  return {
    total: Number(state['total']),
    current: Number(state['current']),
    max: Number(state['max']),
    tripped: state['tripped'] === true,
  };
}
