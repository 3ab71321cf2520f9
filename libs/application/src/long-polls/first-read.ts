import { ContextNotFoundError } from '#shared-context';

import { ForbiddenError, ResourceNotFoundError } from '../errors.js';

/**
 * The first read of a request. `own` reads with the permissions of the principal; it must throw to refuse the request.
 * `mayShare`: whether the request may use a shared read, as far as the limits of the key alone can decide that.
 * `isOwn`: whether the result of a shared read equals the result of the request's own read.
 * `isCurrent`: whether the request has read all events that this process has received; it then waits without a first read.
 */
export type FirstRead<Found> = Readonly<{
  own: () => Promise<Found>;
  mayShare: boolean;
  isOwn: (found: Found) => boolean;
  isCurrent?: () => boolean;
}>;

/** Whether a read failed because of the permissions of its principal, so that it may succeed for another one. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof ContextNotFoundError ||
    error instanceof ForbiddenError ||
    error instanceof ResourceNotFoundError
  );
}
