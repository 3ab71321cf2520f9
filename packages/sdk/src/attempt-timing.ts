const [longestLeadMs, usualLeadMs, longestReportMs] = [6_000, 1_000, 1_000];
/** Of the time of an attempt, these parts are left for ending its program and for the report. */
const [leadPart, longestLeadPart] = [0.1, 0.25];

const [minHeartbeatMs, usualHeartbeatMs] = [100, 5_000];
/** Of a heartbeat. */
export const longestTimeoutMs = 10_000;

/** The time before the deadline at which a program is ended, and the time between SIGTERM and SIGKILL then. */
export function leadOf(totalMs: number): Readonly<{ leadMs: number; graceMs: number }> {
  const time = Math.max(0, totalMs);
  const shortMs = Math.min(usualLeadMs, time * longestLeadPart);
  const leadMs = Math.min(longestLeadMs, Math.max(time * leadPart, shortMs));
  return { leadMs, graceMs: leadMs - Math.min(longestReportMs, leadMs / 2) };
}

/** When to send the next heartbeat in what is left of a lease, so that two of them may be lost before the lease ends. */
export function heartbeatDelayMs(leftMs: number): number {
  return Math.min(usualHeartbeatMs, Math.max(minHeartbeatMs, leftMs / 3));
}

/** How long to wait for the answer to a heartbeat of a lease, so that the next one comes before the lease ends. */
export function heartbeatTimeoutMs(leaseMs: number): number {
  return Math.min(longestTimeoutMs, Math.max(minHeartbeatMs, leaseMs / 3));
}
