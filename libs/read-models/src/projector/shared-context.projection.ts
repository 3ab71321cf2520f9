export const sharedContextProjection = 'shared-context';

/**
 * Raise it if the same events produce other rows than before: the first process with the new number rebuilds them
 * next to the old ones, and processes with a lower number stop writing.
 */
export const sharedContextVersion = 13;
