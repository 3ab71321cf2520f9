import { type Position as ClientPosition, START } from '@eventstore/db-client';

import { type Position } from '#event-sourcing';

/** The maximum of the signed 64-bit numbers that positions consist of. */
const highest = 2n ** 63n - 1n;
const pattern = /^(0|[1-9]\d{0,19})\/(0|[1-9]\d{0,19})$/;

/** Commit and prepare position as `<commit>/<prepare>`, both of which are stored and compared. */
export function asPosition({ commit, prepare }: ClientPosition): Position {
  // The cast is safe: only this adapter creates positions of its log.
  return `${commit}/${prepare}` as Position;
}

/** Throws RangeError for texts that this adapter never returns. */
export function toClientPosition(position: Position | 'start'): ClientPosition | typeof START {
  if (position === 'start') return START;
  const [, commit, prepare] = pattern.exec(position) ?? [];
  if (commit === undefined || prepare === undefined)
    throw new RangeError(`"${position}" is not a position of a log in KurrentDB`);
  const found = { commit: BigInt(commit), prepare: BigInt(prepare) };
  // The server fails on such positions without giving a reason.
  if (found.commit > highest || found.prepare > found.commit)
    throw new RangeError(`"${position}" is in no log of KurrentDB`);
  return found;
}

export function comparePositions(left: Position | 'start', right: Position | 'start'): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  return sign(a.commit, b.commit) || sign(a.prepare, b.prepare);
}

function partsOf(position: Position | 'start'): ClientPosition {
  const found = toClientPosition(position);
  return found === START ? { commit: -1n, prepare: -1n } : found;
}

function sign(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}
