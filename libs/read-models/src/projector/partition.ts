/**
 * The number of parts that a projection is divided into. Positions are stored per part, so that it must never change.
 */
export const partitionCount = 8;

export const allPartitions: readonly number[] = Array.from({ length: partitionCount }, (_, n) => n);

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a over the UTF-16 code units of the stream's name, so that all events of a stream belong to one partition. */
export function partitionOf(stream: string): number {
  let hash = offsetBasis;
  for (let at = 0; at < stream.length; at++)
    hash = Math.imul(hash ^ stream.charCodeAt(at), prime) >>> 0;
  return hash % partitionCount;
}
