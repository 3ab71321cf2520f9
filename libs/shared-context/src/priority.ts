/** How pressing a handover is, the most pressing first. */
export const priorities = ['critical', 'high', 'medium', 'low'] as const;

export type Priority = (typeof priorities)[number];

/** Of what states none. */
export const usualPriority: Priority = 'medium';
