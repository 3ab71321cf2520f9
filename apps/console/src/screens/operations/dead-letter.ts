/** A context with an event that could not be applied, as `GET /v1/dead-letters` returns it. */
export type DeadLetter = Readonly<{
  id: string;
  projection: string;
  workspace: string;
  contextId: string;
  version: number;
  position: string;
  eventId: string | null;
  type: string | null;
  error: string;
  attempts: number;
  parkedAt: string;
  triedAt: string;
}>;

/** The answer to a retry: `done` if the read models of the context are up to date. */
export type RetryResult = Readonly<{ done: boolean; deadLetter?: DeadLetter }>;
