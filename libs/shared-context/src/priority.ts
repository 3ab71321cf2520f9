/** The priorities of handovers, highest first. */
export const priorities = ['critical', 'high', 'medium', 'low'] as const;

export type Priority = (typeof priorities)[number];

/** The default. */
export const defaultPriority: Priority = 'medium';
