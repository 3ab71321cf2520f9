import { ContextNotFoundError } from '#shared-context';

import { ForbiddenError, ResourceNotFoundError } from '../errors.js';

/**
 * The first read of a request, with the permissions of its principal: it must throw if the request is to be refused.
 * `mayShare`: whether the request may use a shared read, as far as that is known without reading.
 * `isOwn`: whether the result of a shared read is what the request's own read would have returned.
 * `isCurrent`: whether the requester has read everything that this process knows to be stored. It then waits without a first read.
 */
export type FirstRead<Found> = Readonly<{
  own: () => Promise<Found>;
  mayShare: boolean;
  isOwn: (found: Found) => boolean;
  isCurrent?: () => boolean;
}>;

/** Whether a read has failed for what its principal may see, so that another's might not. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof ContextNotFoundError ||
    error instanceof ForbiddenError ||
    error instanceof ResourceNotFoundError
  );
}
