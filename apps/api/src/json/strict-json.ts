import { isUtf8 } from 'node:buffer';

import { Slice, runAtOnce, runInSlices } from '#slices';
import { type JsonValue } from '#event-sourcing';

import { JsonBuilder } from './json.builder.js';
import { InvalidJsonError, UnfitJsonError } from './json.errors.js';
import { JsonScanner } from './json.scanner.js';

type StrictJson = Readonly<{ text: string; value: JsonValue }>;

/** What is shorter is read at once: it takes about a millisecond. */
const longBytes = 64 * 1024;
const stepLength = 64 * 1024;
const longestJoined = 2 * 1_048_576;

/**
 * Reads a body so that nothing in it is silently changed: UTF-8 only, no key twice, nesting of at most 64, and only
 * numbers a double keeps. Throws {@link InvalidJsonError} or {@link UnfitJsonError}.
 */
export function readStrictJson(bytes: Uint8Array): StrictJson {
  return runAtOnce(readSteps(bytes));
}

/** As {@link readStrictJson}; other work of the process goes on while a long body is read. */
export function readBodyJson(bytes: Uint8Array): StrictJson | Promise<StrictJson> {
  return bytes.byteLength <= longBytes ? readStrictJson(bytes) : readLongBody(bytes);
}

async function readLongBody(bytes: Uint8Array): Promise<StrictJson> {
  // Joining the parts of a long body has just used up this turn of the event loop.
  if (bytes.byteLength > longestJoined) await new Slice().pause();
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
