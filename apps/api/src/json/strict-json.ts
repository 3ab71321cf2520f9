import { isUtf8 } from 'node:buffer';

import { Slice, runAtOnce, runInSlices } from '#slices';
import { type JsonValue } from '#event-sourcing';

import { JsonBuilder } from './json.builder.js';
import { InvalidJsonError, UnfitJsonError } from './json.errors.js';
import { JsonScanner } from './json.scanner.js';

type StrictJson = Readonly<{ text: string; value: JsonValue }>;

/** Shorter texts are parsed in one step, which takes about a millisecond. */
const longBytes = 64 * 1024;
const stepLength = 64 * 1024;
const maxJoinedBytes = 2 * 1_048_576;

/**
 * Parses a body so that no value is changed silently: UTF-8 only, no duplicate keys, a nesting of at most 64, and only
 * numbers that a double represents. Throws {@link InvalidJsonError} or {@link UnfitJsonError}.
 */
export function readStrictJson(bytes: Uint8Array): StrictJson {
  return runAtOnce(readSteps(bytes));
}

/** Like {@link readStrictJson}, but lets other work of the process run while a long body is parsed. */
export function readBodyJson(bytes: Uint8Array): StrictJson | Promise<StrictJson> {
  return bytes.byteLength <= longBytes ? readStrictJson(bytes) : readLongBody(bytes);
}

async function readLongBody(bytes: Uint8Array): Promise<StrictJson> {
  // Joining the chunks of a long body took most of this turn of the event loop.
  if (bytes.byteLength > maxJoinedBytes) await new Slice().pause();
  return runInSlices(readSteps(bytes));
}

function* readSteps(bytes: Uint8Array): Generator<void, StrictJson> {
  if (!isUtf8(bytes)) throw new InvalidJsonError('the body is not valid UTF-8');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  yield;
  const builder = new JsonBuilder(text);
  const { faults, more } = yield* new JsonScanner(text, builder).scan(stepLength);
  if (faults.length > 0) throw new UnfitJsonError(faults, more);
  return { text, value: builder.value };
}
