/** An attempt that waits for its agent; `version`: that of the event that scheduled it. */
export type WaitingAttempt = Readonly<{
  contextId: string;
  runId: string;
  stepId: string;
  visit: number;
  attempt: number;
  version: number;
  agent: string;
}>;
