import { type CommandRules } from '../command-rule.js';
import { type ContextCommand } from '../context.command.js';
import { handoverKey } from '../handovers/handover.item.js';
import { type ItemLookup } from '../item.js';
import { requireNoActiveRun } from '../runs/run.decider.js';
import { runKey } from '../runs/run.item.js';
import { ContextClosedError, ContextExistsError, ContextNotFoundError } from './life.errors.js';
import { type StatedOutcome } from './life.events.js';
import { closingOf, lifeKey } from './life.fold.js';

export const lifeRules: CommandRules<'CreateContext' | 'CloseContext' | 'ReopenContext'> = {
  CreateContext: {
    reads: ({ carried = [] }) => [
      lifeKey,
      ...carried.map(({ data }) => handoverKey(data.handoverId)),
    ],
    decide: ({ data, carried = [] }) => [
      { type: 'ContextCreated', data },
      ...carried.map((handover) => ({ type: 'HandoverNoted', ...handover }) as const),
    ],
  },
  CloseContext: {
    reads: () => [lifeKey, runKey],
    decide: ({ data }, current) => {
      const closing = closingOf(current(lifeKey.kind, lifeKey.key));
      if (!closing) {
        requireNoActiveRun(current, 'closed');
        return [{ type: 'ContextClosed', data }];
      }
      if (data.outcome !== undefined && data.outcome !== closing)
        throw differentClosing(closing, data.outcome);
      return [];
    },
  },
  ReopenContext: {
    reads: () => [lifeKey],
    decide: ({ data }, current) => (isClosed(current) ? [{ type: 'ContextReopened', data }] : []),
  },
};

/** Whether a command creates a context, so that the context must not exist yet. */
export function createsContext({ type }: Pick<ContextCommand, 'type'>): boolean {
  return type === 'CreateContext' || type === 'ForkContext';
}

/** Checks that the context exists and is open, as far as the command requires it, before the command's own rule. */
export function requireLife({ type }: ContextCommand, current: ItemLookup): void {
  const exists = current(lifeKey.kind, lifeKey.key) !== undefined;
  if (createsContext({ type })) {
    if (exists) throw new ContextExistsError();
    return;
  }
  if (!exists) throw new ContextNotFoundError();
  if (type !== 'ReopenContext' && type !== 'CloseContext' && isClosed(current))
    throw new ContextClosedError();
}

function isClosed(current: ItemLookup): boolean {
  return closingOf(current(lifeKey.kind, lifeKey.key)) !== null;
}

function differentClosing(closing: string, outcome: StatedOutcome): ContextClosedError {
  const how = closing === 'unstated' ? 'without an outcome' : `with the outcome "${closing}"`;
  return new ContextClosedError(
    `the context is closed ${how}: reopen it first, then close it with "${outcome}"`,
  );
}
