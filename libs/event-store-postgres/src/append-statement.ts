import { type QueryArrayConfig } from 'pg';

import { type ExpectedVersion, type Position, VersionConflictError } from '#event-sourcing';

import { integerArray, textArray, uuidArray } from './binary-array.codec.js';
import { type PendingAppend } from './pending-append.js';

const maxInteger = 2_147_483_647;

/** One call of throughline.append_batch for all of them, in their order. */
export function appendStatement(appends: readonly PendingAppend[]): QueryArrayConfig {
  const streams = [...new Set(appends.map(({ stream }) => stream))];
  const places = new Map(streams.map((stream, index) => [stream, index + 1]));
  const events = appends.flatMap((append) => append.events);
  return {
    name: 'throughline_append',
    text: 'select * from throughline.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    rowMode: 'array',
    values: [
      textArray(streams),
      integerArray(appends.map(({ stream }) => places.get(stream) ?? 0)),
      integerArray(appends.map(({ expected }) => codeOf(expected))),
      integerArray(appends.map((append) => append.events.length)),
      integerArray(appends.flatMap((append, index) => append.events.map(() => index + 1))),
      uuidArray(events.map(({ eventId }) => eventId)),
      textArray(events.map(({ type }) => type)),
      textArray(events.map(({ data }) => data)),
      textArray(events.map(({ metadata }) => metadata)),
    ],
  };
}

/** Gives each append its row's answer; returns those the batch could not judge and that must be sent again. */
export function settleAppends(
  appends: readonly PendingAppend[],
  rows: readonly unknown[][],
): PendingAppend[] {
  return appends.filter((append, index) => {
    const [outcome, version, position] = rows[index] ?? [];
    if (outcome === 0)
      // The column is the log's position: the only place where one of them is made.
      append.resolve({ version: Number(version), position: String(position) as Position });
    else if (outcome === 1)
      append.reject(new VersionConflictError(append.stream, append.expected, Number(version)));
    else append.notApplied();
    return !append.settled;
  });
}

function codeOf(expected: ExpectedVersion): number {
  if (expected === 'no-stream') return 0;
  if (expected === 'any') return -1;
  if (expected === 'stream-exists') return -2;
  return Math.min(expected, maxInteger);
}
