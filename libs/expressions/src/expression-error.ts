/** An expression cannot be read, or not be evaluated on this data; `position` counts UTF-16 units of the source from 0. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    readonly reason: string,
    readonly position: number,
  ) {
    super(`at character ${position + 1}: ${reason}`);
  }
}
