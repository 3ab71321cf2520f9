/** A visit that has not ended. */
export type ActiveVisit = Readonly<{
  stepId: string;
  visit: number;
  attempt: number;
  /** See StepStatus; unknown ones are drawn as running. */
  status: string;
  agent?: string | null | undefined;
  worker?: string | null | undefined;
}>;

/** How the newest visit of a step has ended. */
export type EndedVisit = Readonly<{
  stepId: string;
  visit: number;
  attempts: number;
  outcome: string;
  error?: string | null | undefined;
}>;

/** What is drawn of a run: members of the document that shows it. */
export type RunSnapshot = Readonly<{
  status: string;
  reason?: string | null | undefined;
  active: readonly ActiveVisit[];
  results: readonly EndedVisit[];
}>;
