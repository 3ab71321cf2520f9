/** The types of the events of steps. */
export const stepEventTypes = [
  ...(['StepScheduled', 'StepAttemptStarted', 'StepAttemptFailed', 'StepAttemptTimedOut'] as const),
  ...(['StepOutputAdded', 'StepOutputDerived', 'StepRouted'] as const),
  ...(['ApprovalRequested', 'ApprovalDecided'] as const),
];

type Attempt = Readonly<{ visit?: number; attempt?: number }>;

/** Outputs have the run, the visit and the attempt in the member `run`. */
type StepData = Attempt &
  Readonly<{ stepId?: string; runId?: string; run?: Attempt & Readonly<{ runId?: string }> }>;

export function isOfStep(
  { data }: Readonly<{ data: unknown }>,
  { runId, stepId }: Readonly<{ runId: string; stepId: string }>,
): boolean {
  const event = stepDataOf(data);
  return event.stepId === stepId && (event.runId ?? event.run?.runId) === runId;
}

/** The visit and the attempt that an event belongs to, as far as it names them. */
export function attemptIn(data: unknown): Attempt {
  const { visit, attempt, run } = stepDataOf(data);
  return {
    ...numberAs('visit', visit ?? run?.visit),
    ...numberAs('attempt', attempt ?? run?.attempt),
  };
}

function numberAs(name: keyof Attempt, value: number | undefined): Attempt {
  return value === undefined ? {} : { [name]: value };
}

/** The server has validated the data of these types. */
function stepDataOf(data: unknown): StepData {
  return typeof data === 'object' && data !== null ? data : {};
}
