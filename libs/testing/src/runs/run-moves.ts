import { DomainError } from '#event-sourcing';
import { type DecidedEvent } from '#shared-context';
import { type RunCommand } from '#workflow';

import { type Move } from './run.arbitraries.js';
import { type RunWorld, hashOf } from './run-world.js';

/**
 * The command of a move in the current state of the run; undefined if the move is not possible. For
 * tests.
 */
export function commandOf(world: RunWorld, move: Move): RunCommand | undefined {
  const { kind, pick, value } = move;
  switch (kind) {
    case 'work':
      return pickOf(possible(world, value), pick);
    case 'pause':
      return { type: 'pause', by: 'ada' };
    case 'cancel':
      return { type: 'cancel', graceMs: value * 1_000, by: 'ada' };
    case 'pass':
    case 'epoch':
      return { type: 'tick' };
  }
}

/** All possible actions of workers and people. Actions that advance the run occur more than once. */
function possible(world: RunWorld, value: number): readonly RunCommand[] {
  const { run, epoch } = world;
  const claims = claimable(world).map((stepId) => claimOf(world, stepId, value));
  const running = world.stepsWith('running');
  const reports = running.flatMap((stepId) => {
    const completion = completionOf(world, stepId, value);
    const others = [failureOf(world, stepId, value), lossOf(world, stepId, value)];
    return [completion, completion, completion, ...others];
  });
  const people = [
    ...world.stepsWith('asking').flatMap((stepId) => verdictOf(world, stepId, value)),
    ...world.stepsWith('doubt').flatMap((stepId) => answerOf(world, stepId, value)),
  ];
  const late = world.stepsWith('doubt').map((stepId) => completionOf(world, stepId, value));
  const isHeld = run.status === 'paused' || run.epoch !== epoch;
  const resumed: RunCommand[] = isHeld
    ? [{ type: 'resume', by: 'ada', isPerson: true, usual: {} }]
    : [];
  return [...resumed, ...claims, ...reports, ...people, ...late];
}

/** Makes a move. Returns undefined if no move is possible, or if the move was rejected as expected. */
export function make(
  world: RunWorld,
  move: Move,
): Readonly<{ command: RunCommand; events: readonly DecidedEvent[] }> | undefined {
  if (move.kind === 'pass') world.time += [10, 500, 3_000, 6_000, 20_000, 60_000][move.value] ?? 0;
  if (move.kind === 'epoch') world.epoch += "'";
  world.random = move.value / 6;
  const command = commandOf(world, move);
  if (!command) return undefined;
  try {
    return { command, events: world.execute(command) };
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function pickOf<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}

const ada = { principal: 'ada', agents: [] };

function claimable(world: RunWorld): readonly string[] {
  return world.stepsWith('scheduled').filter((stepId) => world.step(stepId).agent !== null);
}

function reportOf(world: RunWorld, stepId: string, token: string) {
  const { visit, attempt } = world.step(stepId);
  return { stepId, visit, attempt, tokenHash: hashOf(token), worker: { principal: 'worker' } };
}

function claimOf(world: RunWorld, stepId: string, value: number): RunCommand {
  const report = reportOf(world, stepId, `token-${value}`);
  return { ...report, type: 'claim', effectKey: 'cd'.repeat(32) };
}

function ownReport(world: RunWorld, stepId: string) {
  const tokenHash = world.step(stepId).tokenHash ?? '';
  return { ...reportOf(world, stepId, ''), tokenHash };
}

function completionOf(world: RunWorld, stepId: string, value: number): RunCommand {
  const { path, verify } = world.step(stepId);
  const result = { n: value, of: path };
  const output = verify ? { tookEffect: value % 2 === 0, output: result } : result;
  return { ...ownReport(world, stepId), type: 'complete', output };
}

function failureOf(world: RunWorld, stepId: string, value: number): RunCommand {
  const failure = { reason: `failure ${value}`, code: value === 0 ? 'fatal' : 'other' };
  return { ...ownReport(world, stepId), type: 'fail', ...failure, retryable: value !== 1 };
}

function lossOf(world: RunWorld, stepId: string, value: number): RunCommand {
  const { visit, attempt } = world.step(stepId);
  return { type: 'lose', stepId, visit, attempt, usual: value % 2 === 0 ? 'ask' : 'replay_safe' };
}

function verdictOf(world: RunWorld, stepId: string, value: number): readonly RunCommand[] {
  const approvalId = world.step(stepId).approval?.approvalId;
  if (approvalId === undefined) return [];
  const decision = value < 3 ? 'approved' : 'rejected';
  return [{ type: 'decide', approvalId, decision, comment: `comment ${value}`, by: ada }];
}

function answerOf(world: RunWorld, stepId: string, value: number): readonly RunCommand[] {
  const approvalId = world.step(stepId).approval?.approvalId;
  if (approvalId === undefined) return [];
  const action = (['retry', 'skip', 'output', 'fail'] as const)[value % 4] ?? 'fail';
  return [{ type: 'answer', approvalId, action, output: { n: value }, by: ada }];
}
