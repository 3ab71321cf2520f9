/** Returns undefined if temporary directories should be in the default directory of the system. */
export function findTemporaryDirectory(env?: NodeJS.ProcessEnv): string | undefined;
