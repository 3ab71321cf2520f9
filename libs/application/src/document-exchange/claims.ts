import { z } from 'zod';

import { type ClaimedOrigin, type DocumentPlace, type ReadingNote } from '#interop';
import { agentId, isConfusable } from '#shared-context';

import { type ImportedClaim } from '../writing/write-context.command.js';

/** The maximum time by which the times of documents may be ahead of the clock of this server. */
const maxAheadMs = 60_000;

const time = z.iso.datetime({ offset: true });

/** The claim to store, and notes about the parts that were left out. */
type CheckedClaim = Readonly<{ claim: ImportedClaim; notes: readonly ReadingNote[] }>;

/**
 * Checks the author and the time that a document states. Reserved author names and times in the future are left out and
 * reported. `now`: the time, in milliseconds, of events without a stated time.
 */
export function checkClaim(
  { agentId: author, timestamp }: ClaimedOrigin,
  place: DocumentPlace,
  now: number,
): CheckedClaim {
  const authorFault = author === undefined ? undefined : faultOfAuthor(author);
  const timeFault = timestamp === undefined ? undefined : faultOfTime(timestamp, now);
  const isTimed = timestamp !== undefined && timeFault === undefined;
  return {
    claim: {
      agentId: authorFault === undefined ? (author ?? null) : null,
      timestamp: isTimed ? timestamp : new Date(now).toISOString(),
    },
    notes: [authorFault, timeFault].flatMap((detail) =>
      detail === undefined ? [] : [{ ...place, kind: 'left-out' as const, detail }],
    ),
  };
}

function faultOfAuthor(name: string): string | undefined {
  const isUsable = agentId.safeParse(name).success && !isConfusable(name);
  return isUsable ? undefined : `the author ${JSON.stringify(name)} is not a valid agent name`;
}

function faultOfTime(stated: string, now: number): string | undefined {
  if (!time.safeParse(stated).success)
    return `the time ${JSON.stringify(stated)} is not an RFC 3339 time with an offset`;
  return Date.parse(stated) > now + maxAheadMs ? `the time ${stated} is in the future` : undefined;
}
