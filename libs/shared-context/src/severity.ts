/** How much a risk or an issue weighs, the gravest first. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;

/** Whether an issue of this weight is in the way of what was reviewed. */
export function isBlocking(severity: unknown): boolean {
  return severity === 'critical' || severity === 'high';
}
