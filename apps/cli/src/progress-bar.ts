const barWidth = 30;

/** `[######........] ` for a share from 0 to 1. */
export function progressBar(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * barWidth);
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] `;
}
