import { type CommandRules } from '../command-rule.js';
import { type RestoreContext } from '../context.command.js';
import { RuleViolationError } from '../context.errors.js';
import { type ItemKey, type ItemLookup } from '../item.js';
import { continuedLoops, withoutVersions } from '../loops/carried-loops.js';
import { requireNoActiveRun } from '../runs/run.decider.js';
import { runKey } from '../runs/run.item.js';
import { completionKey, isAutomaticName } from './automatic-checkpoint.js';
import { InsideAppendError } from './inside-append.error.js';
import { CheckpointMovedError, VersionAheadError } from './lineage.errors.js';
import { checkpointKey } from './lineage.fold.js';

export const lineageRules: CommandRules<'ForkContext' | 'RestoreContext' | 'CreateCheckpoint'> = {
  ForkContext: {
    reads: () => [],
    decide: ({ data, carried = [] }) => [
      { type: 'ContextForked', data },
      ...withoutVersions(carried),
    ],
  },
  RestoreContext: {
    reads: (command) => [runKey, ...checkpointsOf(command)],
    names: (command) => checkpointsOf(command),
    decide: ({ data, at, loops = [], base, resolved, append }, current) => {
      requireNoActiveRun(current, 'restored');
      const target = targetOf(data, current);
      if (at !== undefined && target > at) throw new VersionAheadError('version', target, at);
      if (data.checkpoint !== undefined && resolved !== target)
        throw new CheckpointMovedError(data.checkpoint);
      const version = endOfAppend(target, data, append);
      const atBase = base?.version === version ? base.loops : [];
      return [{ type: 'ContextRestored', data: { version } }, ...continuedLoops(loops, atBase)];
    },
  },
  CreateCheckpoint: {
    reads: ({ data }) => [checkpointKey(data.name)],
    decide: ({ data: { name }, at }, current) => {
      if (isAutomaticName(name))
        throw new RuleViolationError(
          '/name',
          'must not begin with "after:", which is reserved for automatic checkpoints: choose another name',
        );
      const version = at ?? 1;
      const named = findCheckpoint(name, current);
      if (named === undefined) return [{ type: 'CheckpointCreated', data: { name, version } }];
      // The creation of a checkpoint is an event itself, so directly after it the named version is the previous
      // one.
      if (named === version || named === version - 1) return [];
      throw new RuleViolationError('/name', `names version ${named} already: choose another name`);
    },
  },
};

function checkpointsOf({ data: { checkpoint } }: RestoreContext): readonly ItemKey[] {
  return checkpoint === undefined ? [] : [namedKey(checkpoint)];
}

/**
 * If the target is inside one write, a checkpoint moves to the end of the write, and an explicit version is refused.
 */
function endOfAppend(
  version: number,
  { checkpoint }: RestoreContext['data'],
  append: RestoreContext['append'],
): number {
  if (!append) return version;
  if (checkpoint === undefined) throw new InsideAppendError(version, append);
  return append.end;
}

function targetOf({ version, checkpoint }: RestoreContext['data'], current: ItemLookup): number {
  if ((version === undefined) === (checkpoint === undefined))
    throw new RuleViolationError(
      '',
      'needs exactly one of version and checkpoint: send one of them',
    );
  if (version !== undefined) return version;
  const named = findCheckpoint(checkpoint ?? '', current);
  if (named === undefined)
    throw new RuleViolationError(
      '/checkpoint',
      'names no checkpoint of this context: send the name of one, or a version',
    );
  return named;
}

/** The item that holds the version of a checkpoint, created or automatic. */
export function namedKey(name: string): ItemKey {
  return isAutomaticName(name) ? completionKey(name) : checkpointKey(name);
}

/** The version a checkpoint names. */
export function findCheckpoint(name: string, current: ItemLookup): number | undefined {
  const { kind, key } = namedKey(name);
  const version = current(kind, key)?.state['version'];
  return typeof version === 'number' ? version : undefined;
}
