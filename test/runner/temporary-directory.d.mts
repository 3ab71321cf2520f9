/** Returns undefined if temporary directories are to be where the system has them. */
export function findTemporaryDirectory(env?: NodeJS.ProcessEnv): string | undefined;
