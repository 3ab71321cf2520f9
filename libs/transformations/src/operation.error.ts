/** The operation is not applicable to the data. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
