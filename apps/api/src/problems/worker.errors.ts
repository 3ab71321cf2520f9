/** Everything is taken, and was so for as long as a request may wait. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

/** The worker ended before it answered, for example because its memory was used up. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
}
