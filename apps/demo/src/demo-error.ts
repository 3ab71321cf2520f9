/** Ends the demo with one sentence and exit code 1. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
