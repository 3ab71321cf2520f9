/** A visit that has not ended. */
export type ActiveVisit = Readonly<{
  stepId: string;
  visit: number;
  attempt: number;
  /** See StepStatus; unknown values are drawn as running. */
  status: string;
  agent?: string | null | undefined;
  worker?: string | null | undefined;
}>;

/** The outcome of the newest visit of a step. */
export type EndedVisit = Readonly<{
  stepId: string;
  visit: number;
  attempts: number;
  outcome: string;
  error?: string | null | undefined;
}>;

/** The members of a run document that the diagram shows. */
export type RunSnapshot = Readonly<{
  status: string;
  reason?: string | null | undefined;
  active: readonly ActiveVisit[];
  results: readonly EndedVisit[];
}>;
