import { z } from 'zod';

import { type ClaimedOrigin, type DocumentPlace, type ReadingNote } from '#interop';
import { agentId, isConfusable } from '#shared-context';

import { type ImportedClaim } from '../writing/write-context.command.js';

/** How far the times that documents state may be ahead of the clock of this server. */
const maxAheadMs = 60_000;

const time = z.iso.datetime({ offset: true });

/** A claim as it is stored, and what of it was not taken over. */
type CheckedClaim = Readonly<{ claim: ImportedClaim; notes: readonly ReadingNote[] }>;

/**
 * Checks who a document says has done something, and when. Names that views use for somebody who is no agent, and times to come,
 * are left out and reported. `now` in milliseconds: the time of events that state none.
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
  return isUsable ? undefined : `the author ${JSON.stringify(name)} cannot be an agent's name`;
}

function faultOfTime(stated: string, now: number): string | undefined {
  if (!time.safeParse(stated).success)
    return `the time ${JSON.stringify(stated)} is no RFC 3339 time with an offset`;
  return Date.parse(stated) > now + maxAheadMs ? `the time ${stated} is yet to come` : undefined;
}
