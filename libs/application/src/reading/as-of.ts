import { type ContextReader } from '#read-models';
import { type ContextId, InsideAppendError } from '#shared-context';

import { InvalidPositionError } from '../errors.js';
import { parseRfc3339 } from '../rfc3339.js';
import { type AsOf } from './snapshot-tag.js';
import { findAppendAround } from './inside-append.js';

/** As {@link resolvePosition}, but refuses versions inside an append, which the context never had as a whole. */
export async function resolveAsOf(
  reader: ContextReader,
  id: ContextId,
  asOf: AsOf,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const version = await resolvePosition(reader, id, asOf, signal);
  // All events of a write have one time.
  if (version === undefined || version === 0 || asOf === undefined || !isVersion(asOf))
    return version;
  const append = await findAppendAround(reader, id, version, signal ? { signal } : {});
  if (append) throw new InsideAppendError(version, append);
  return version;
}

/**
 * The requested version: undefined for now, 0 for a time before the first event. Digits are a version, everything else
 * is an RFC 3339 time with offset. A time in the future means now.
 */
export async function resolvePosition(
  reader: ContextReader,
  id: ContextId,
  asOf: AsOf,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (asOf === undefined) return undefined;
  const options = signal ? { signal } : {};
  if (isVersion(asOf)) {
    const version = Number(asOf);
    const head = await reader.version(id, options);
    if (head === 0) return 0;
    if (version > head)
      throw new InvalidPositionError(
        `version ${asOf} is beyond the head: the context is at version ${head}`,
      );
    return version;
  }
  return reader.versionAt(id, parseTime(asOf), options);
}

/** Digits only. */
export function isVersion(asOf: string): boolean {
  return /^\d+$/.test(asOf);
}

function parseTime(text: string): string {
  const time = parseRfc3339(text);
  if (time === undefined)
    throw new InvalidPositionError(
      `"${text}" is neither a version (digits only) nor an RFC 3339 time with offset, such as 2026-01-25T10:00:00Z`,
    );
  return time;
}
