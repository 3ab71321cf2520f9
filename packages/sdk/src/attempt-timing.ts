const [longestLeadMs, defaultLeadMs, longestReportMs] = [6_000, 1_000, 1_000];
/** Shares of the time of an attempt that are reserved for ending its program and for the report. */
const [leadPart, longestLeadPart] = [0.1, 0.25];

const [minHeartbeatMs, defaultHeartbeatMs] = [100, 5_000];
/** The longest timeout of a heartbeat. */
export const longestTimeoutMs = 10_000;

/** Returns how long before the deadline a program is ended, and the time between SIGTERM and SIGKILL. */
export function leadOf(totalMs: number): Readonly<{ leadMs: number; graceMs: number }> {
  const time = Math.max(0, totalMs);
  const shortMs = Math.min(defaultLeadMs, time * longestLeadPart);
  const leadMs = Math.min(longestLeadMs, Math.max(time * leadPart, shortMs));
  return { leadMs, graceMs: leadMs - Math.min(longestReportMs, leadMs / 2) };
}

/** Returns the delay of the next heartbeat in the rest of a lease, so that two heartbeats may be lost before the lease ends. */
export function heartbeatDelayMs(leftMs: number): number {
  return Math.min(defaultHeartbeatMs, Math.max(minHeartbeatMs, leftMs / 3));
}

/** Returns the timeout of a heartbeat of a lease, so that the next one is sent before the lease ends. */
export function heartbeatTimeoutMs(leaseMs: number): number {
  return Math.min(longestTimeoutMs, Math.max(minHeartbeatMs, leaseMs / 3));
}
