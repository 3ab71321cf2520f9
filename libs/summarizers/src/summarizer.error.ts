/** `refused`: the same request would be refused again; `garbled`: the answer does not follow the protocol. */
type SummarizerFault = 'unreachable' | 'late' | 'unavailable' | 'refused' | 'garbled';

/** A model did not summarize. The message quotes neither the key nor the request, so that it may be logged. */
export class SummarizerError extends Error {
  override readonly name = 'SummarizerError';
  readonly code = 'summarizer-failed';

  constructor(
    message: string,
    readonly fault: SummarizerFault,
    /** Milliseconds after which the service accepts the next request, from its Retry-After header. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
