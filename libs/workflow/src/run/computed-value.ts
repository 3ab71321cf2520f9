import { type JsonValue, utf8Length } from '#event-sourcing';

/** Of a value that the interpreter computes: what follows from it must fit into the same append. */
export const mostComputedBytes = 192 * 1_024;

export function isTooLarge(value: JsonValue): boolean {
  return utf8Length(JSON.stringify(value)) > mostComputedBytes;
}

export const tooLarge = `has more than ${mostComputedBytes / 1_024} KiB: compute less`;
