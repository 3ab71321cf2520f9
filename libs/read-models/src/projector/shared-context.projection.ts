export const sharedContextProjection = 'shared-context';

/**
 * Raise it when the same events make other rows than before: the first process with the new number rebuilds them
 * beside the old ones, and those with a lower number stop writing.
 */
export const sharedContextVersion = 13;
