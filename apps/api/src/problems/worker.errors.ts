/** All workers were busy for as long as a request may wait. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

/** The worker ended before it answered, for example because it exceeded its memory limit. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
}
