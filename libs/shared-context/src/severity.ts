/** The severities of risks and issues, highest first. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;

/** Whether an issue of this severity blocks the reviewed work. */
export function isBlocking(severity: unknown): boolean {
  return severity === 'critical' || severity === 'high';
}
