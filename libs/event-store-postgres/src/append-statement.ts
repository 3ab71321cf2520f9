import { type QueryArrayConfig } from 'pg';

import {
  CounterChangedError,
  type CounterValue,
  type EventToAppend,
  type ExpectedVersion,
  type Position,
  VersionConflictError,
} from '#event-sourcing';

import { integerArray, textArray, uuidArray } from '#database';
import { type PendingAppend } from './pending-append.js';

const maxInteger = 2_147_483_647;

/** For an append without a counter: the counter with the empty name is always 0. */
const noCounter: CounterValue = { name: '', value: 0 };

/**
 * One call of throughline.append_events_if. Returns a row with a position, or with null if the append needs a batch.
 */
export function singleStatement(append: PendingAppend): QueryArrayConfig {
  const { stream, expected, events, counter = noCounter } = append;
  return {
    name: 'throughline_append_events_if',
    text: 'select throughline.append_events_if($1, $2, $3, $4, $5, $6, $7, $8)',
    rowMode: 'array',
    values: [stream, codeOf(expected), ...eventArrays(events), counter.name, counter.value],
  };
}

/** One call of throughline.append_batch_if for all appends in their order; returns a row for each. */
export function batchStatement(appends: readonly PendingAppend[]): QueryArrayConfig {
  const indexes = new Map<string, number>();
  const counters = appends.map(({ counter = noCounter }) => counter);
  const streamOfEach = appends.map(({ stream }) => {
    const streamIndex = indexes.get(stream) ?? indexes.size + 1;
    indexes.set(stream, streamIndex);
    return streamIndex;
  });
  return {
    name: 'throughline_append_batch_if',
    text: 'select * from throughline.append_batch_if($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
    rowMode: 'array',
    values: [
      textArray([...indexes.keys()]),
      integerArray(streamOfEach),
      integerArray(appends.map(({ expected }) => codeOf(expected))),
      integerArray(appends.map(({ events }) => events.length)),
      integerArray(appends.flatMap(({ events }, index) => events.map(() => index + 1))),
      ...eventArrays(appends.flatMap(({ events }) => events)),
      textArray(counters.map(({ name }) => name)),
      integerArray(counters.map(({ value }) => value)),
    ],
  };
}

/** Settles an append that was sent alone; false if its row has no position. */
export function settleSingle(append: PendingAppend, rows: readonly unknown[][]): boolean {
  const position = rows[0]?.[0];
  if (position === null || position === undefined) return false;
  const version = codeOf(append.expected) + append.events.length;
  append.resolve({ version, position: positionOf(position), isRepeat: false });
  return true;
}

/** Settles each append by its row; returns the appends that the batch could not check and that must be sent again. */
export function settleBatch(
  appends: readonly PendingAppend[],
  rows: readonly unknown[][],
): PendingAppend[] {
  return appends.filter((append, index) => {
    const [outcome, last, position, isRepeat] = rows[index] ?? [];
    const version = Number(last);
    if (outcome === 0)
      append.resolve({ version, position: positionOf(position), isRepeat: isRepeat === true });
    else if (outcome === 1) append.reject(refusalOf(append, version));
    else append.notApplied();
    return !append.settled;
  });
}

/** If the current version is the expected one, only the counter can be the reason. */
function refusalOf({ stream, expected, counter }: PendingAppend, version: number): Error {
  return counter && meets(version, expected)
    ? new CounterChangedError(counter)
    : new VersionConflictError(stream, expected, version);
}

function meets(version: number, expected: ExpectedVersion): boolean {
  if (expected === 'any') return true;
  return expected === 'stream-exists' ? version > 0 : version === codeOf(expected);
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
  // The cast is safe: the column is the position in the log. Positions are created only here.
  return String(column) as Position;
}

function codeOf(expected: ExpectedVersion): number {
  if (expected === 'no-stream') return 0;
  if (expected === 'any') return -1;
  if (expected === 'stream-exists') return -2;
  return Math.min(expected, maxInteger);
}
