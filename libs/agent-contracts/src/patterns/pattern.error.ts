/** A regular expression cannot be used; `reason` states why, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  constructor(readonly reason: string) {
    super(reason);
  }
}
