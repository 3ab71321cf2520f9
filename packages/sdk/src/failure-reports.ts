import { clip, longestReason } from './failure-reason.js';
import { type FailureReport } from './work-failure.js';

/** Returns a shorter report after a refusal. `refusal`: the reason of the refusal. */
type ShortenReport = (report: FailureReport, refusal: string) => FailureReport;

const longestRefusal = 2_000;
const code = 'report-refused';

const withoutOutput: ShortenReport = ({ output: _output, ...report }, refusal) =>
  withNote(report, refusal);
const reasonOnly: ShortenReport = ({ reason, retryable }, refusal) =>
  withNote({ reason, code, ...(retryable !== undefined && { retryable }) }, refusal);
const clientReason: ShortenReport = (_report, refusal) => ({
  reason: `the handler failed, and its report was refused: ${refusal}`,
  code,
});

/**
 * Returns reports of a failure, each for the case that the previous one is refused: the complete report; without its output; only
 * its reason; a reason of the client.
 */
export function waysToReport(
  failure: FailureReport,
): readonly ((refusal: string) => FailureReport)[] {
  const shorter = [...('output' in failure ? [withoutOutput] : []), reasonOnly, clientReason];
  return [
    () => failure,
    ...shorter.map(
      (shorten) => (refusal: string) => shorten(failure, clip(refusal, longestRefusal)),
    ),
  ];
}

function withNote(report: FailureReport, refusal: string): FailureReport {
  const note = ` (the rest of the report was refused: ${refusal})`;
  return { ...report, reason: clip(report.reason, longestReason - note.length) + note };
}
