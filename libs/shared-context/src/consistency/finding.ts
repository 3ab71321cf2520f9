/** A check fails on errors, but not on warnings. */
export const findingSeverities = ['error', 'warning'] as const;

type FindingSeverity = (typeof findingSeverities)[number];

/** The codes of all findings. */
export const findingCodes = [
  'part-missing',
  'artifact-missing',
  'decision-missing',
  'requirement-missing',
  'task-missing',
  'iterations-exceeded',
  'circuit-open',
  'handover-unacknowledged',
  'issue-unaddressed',
  'phase-rejected',
  'review-out-of-order',
  'review-missing',
  'iterations-near-limit',
  'step-failed',
  'task-blocked',
  'blocker-open',
  'input-awaited',
  'decision-pending',
  'work-stale',
  'gate-failed',
  'inputs-incomplete',
  'dependency-unmet',
  'open-when-closed',
] as const;

type FindingCode = (typeof findingCodes)[number];

/** `ref`: the subject, such as `decision:DEC-001`. `detail`: a sentence for people. */
export type Finding = Readonly<{
  code: FindingCode;
  severity: FindingSeverity;
  ref: string;
  detail: string;
}>;

export function violation(code: FindingCode, ref: string, detail: string): Finding {
  return { code, severity: 'error', ref, detail };
}

export function warning(code: FindingCode, ref: string, detail: string): Finding {
  return { code, severity: 'warning', ref, detail };
}
