/** The data is not what an operation is for. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
