/**
 * An expression cannot be parsed, or not evaluated with this data. `position`: UTF-16 code units of the source, from 0.
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    readonly reason: string,
    readonly position: number,
  ) {
    super(`at character ${position + 1}: ${reason}`);
  }
}
