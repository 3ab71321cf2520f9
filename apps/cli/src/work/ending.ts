/** Why a program is ended before it ends by itself. */
export type EndCause = 'timeout' | 'cancelled' | 'stopped' | 'output-too-large';

/** `graceMs`: how long the program has after SIGTERM, if not as long as usual. */
export type Ending =
  | Readonly<{ cause: EndCause; graceMs?: number }>
  /** The server takes no report of this attempt any more. */
  | Readonly<{ cause: 'refused'; reason: string; graceMs?: number }>;
