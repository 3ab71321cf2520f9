/** `refused`: the same request would be refused again; `garbled`: what came is no answer of the protocol. */
type SummarizerFault = 'unreachable' | 'late' | 'unavailable' | 'refused' | 'garbled';

/** A model did not summarize. Its text quotes neither keys nor what was sent, so that it may be logged. */
export class SummarizerError extends Error {
  override readonly name = 'SummarizerError';
  readonly code = 'summarizer-failed';

  constructor(
    message: string,
    readonly fault: SummarizerFault,
    /** When the service says to come back. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
