import { clip, longestReason } from './failure-reason.js';
import { type FailureReport } from './work-failure.js';

/** What is reported in place of a report that was refused, and why it was. */
type Shorter = (report: FailureReport, refusal: string) => FailureReport;

const longestRefusal = 2_000;
const code = 'report-refused';

const withoutOutput: Shorter = ({ output: _output, ...report }, refusal) =>
  withNote(report, refusal);
const reasonAlone: Shorter = ({ reason, retryable }, refusal) =>
  withNote({ reason, code, ...(retryable !== undefined && { retryable }) }, refusal);
const ownReason: Shorter = (_report, refusal) => ({
  reason: `the handler failed, and its report was refused: ${refusal}`,
  code,
});

/**
 * The ways to report a failure, each to be tried if the one before was refused: all of it; without its output; its reason; a reason that
 * no server refuses.
 */
export function waysToReport(
  failure: FailureReport,
): readonly ((refusal: string) => FailureReport)[] {
  const shorter = [...('output' in failure ? [withoutOutput] : []), reasonAlone, ownReason];
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
