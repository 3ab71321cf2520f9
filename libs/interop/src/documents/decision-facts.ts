/** `isPending`: whether a decision of the context is waiting for a verdict now. */
export type DecisionFacts = Readonly<{
  isLive: (decisionId: string) => boolean;
  isPending: (decisionId: string) => boolean;
}>;

/**
 * `agreedAt`: the version at which an item last agreed with its document, if it was changed since; undefined if it
 * still agrees, or if it is not an item of the document.
 */
export type ChangedItems = Readonly<{ agreedAt: (item: string) => number | undefined }>;
