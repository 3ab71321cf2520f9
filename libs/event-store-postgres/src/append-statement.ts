import { type QueryArrayConfig } from 'pg';

import {
  type EventToAppend,
  type ExpectedVersion,
  type Position,
  VersionConflictError,
} from '#event-sourcing';

import { integerArray, textArray, uuidArray } from '#database';
import { type PendingAppend } from './pending-append.js';

const maxInteger = 2_147_483_647;

/** One call of throughline.append_events: a row with a position, or null if only a batch can judge it. */
export function singleStatement({ stream, expected, events }: PendingAppend): QueryArrayConfig {
  return {
    name: 'throughline_append_events',
    text: 'select throughline.append_events($1, $2, $3, $4, $5, $6)',
    rowMode: 'array',
    values: [stream, codeOf(expected), ...eventArrays(events)],
  };
}

/** One call of throughline.append_batch for all of them, in their order: a row for each. */
export function batchStatement(appends: readonly PendingAppend[]): QueryArrayConfig {
  const places = new Map<string, number>();
  const streamOfEach = appends.map(({ stream }) => {
    const place = places.get(stream) ?? places.size + 1;
    places.set(stream, place);
    return place;
  });
  return {
    name: 'throughline_append_batch',
    text: 'select * from throughline.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    rowMode: 'array',
    values: [
      textArray([...places.keys()]),
      integerArray(streamOfEach),
      integerArray(appends.map(({ expected }) => codeOf(expected))),
      integerArray(appends.map(({ events }) => events.length)),
      integerArray(appends.flatMap(({ events }, index) => events.map(() => index + 1))),
      ...eventArrays(appends.flatMap(({ events }) => events)),
    ],
  };
}

/** Answers an append that was sent alone; false if its row has no position. */
export function settleSingle(append: PendingAppend, rows: readonly unknown[][]): boolean {
  const position = rows[0]?.[0];
  if (position === null || position === undefined) return false;
  const version = codeOf(append.expected) + append.events.length;
  append.resolve({ version, position: positionOf(position) });
  return true;
}

/** Answers each append by its row; returns those the batch could not judge and that must be sent again. */
export function settleBatch(
  appends: readonly PendingAppend[],
  rows: readonly unknown[][],
): PendingAppend[] {
  return appends.filter((append, index) => {
    const [outcome, version, position] = rows[index] ?? [];
    if (outcome === 0) append.resolve({ version: Number(version), position: positionOf(position) });
    else if (outcome === 1)
      append.reject(new VersionConflictError(append.stream, append.expected, Number(version)));
    else append.notApplied();
    return !append.settled;
  });
}

function eventArrays(events: readonly EventToAppend[]): Buffer[] {
  return [
    uuidArray(events.map(({ eventId }) => eventId)),
    textArray(events.map(({ type }) => type)),
    textArray(events.map(({ data }) => data)),
    textArray(events.map(({ metadata }) => metadata)),
  ];
}

function positionOf(column: unknown): Position {
  // The column is the log's position: the only place where one of them is made.
  return String(column) as Position;
}

function codeOf(expected: ExpectedVersion): number {
  if (expected === 'no-stream') return 0;
  if (expected === 'any') return -1;
  if (expected === 'stream-exists') return -2;
  return Math.min(expected, maxInteger);
}
