import { type Operations } from '../open-operations.js';
import { countOf } from '../rate.js';
import { printableLine } from '../printable.js';

type VerifiedDatabase = Awaited<ReturnType<Operations['verifyConfigured']>>;

export function describeDatabase(result: VerifiedDatabase): string {
  const { streams, events, broken, findings, missingPosition } = result;
  const lines = findings.map(
    ({ stream, version, reason }) =>
      `${printableLine(stream)}: broken at version ${version}: ${reason}`,
  );
  if (broken > findings.length) lines.push(`and ${broken - findings.length} more`);
  if (missingPosition !== null)
    lines.push(`position ${missingPosition} of the log is missing: an event was removed`);
  return [...lines, `${countOf(events, 'event')} of ${countOf(streams, 'stream')} verified`].join(
    '\n',
  );
}
