/** `isPending`: whether a decision of the context waits for a verdict now. */
export type DecisionFacts = Readonly<{
  isLive: (decisionId: string) => boolean;
  isPending: (decisionId: string) => boolean;
}>;
