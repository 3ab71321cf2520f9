/** A regular expression cannot be used; `reason` says why, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  constructor(readonly reason: string) {
    super(reason);
  }
}
