import { type Position as ClientPosition, START } from '@eventstore/db-client';

import { type Position } from '#event-sourcing';

/** Places in a log are signed numbers of 64 bits. */
const highest = 2n ** 63n - 1n;
const pattern = /^(0|[1-9]\d{0,19})\/(0|[1-9]\d{0,19})$/;

/** Commit and prepare position, kept and compared whole: `<commit>/<prepare>`. */
export function asPosition({ commit, prepare }: ClientPosition): Position {
  // The brand is this adapter's to give: nobody else makes positions of this log.
  return `${commit}/${prepare}` as Position;
}

/** Throws RangeError for what this adapter never gave out. */
export function toClientPosition(position: Position | 'start'): ClientPosition | typeof START {
  if (position === 'start') return START;
  const [, commit, prepare] = pattern.exec(position) ?? [];
  if (commit === undefined || prepare === undefined)
    throw new RangeError(`"${position}" is no position of a log in KurrentDB`);
  const found = { commit: BigInt(commit), prepare: BigInt(prepare) };
  // The server fails on those, and does not say why.
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
