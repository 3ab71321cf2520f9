/** `isPending`: whether a decision of the context waits for a verdict now. */
export type DecisionFacts = Readonly<{
  isLive: (decisionId: string) => boolean;
  isPending: (decisionId: string) => boolean;
}>;

/**
 * `agreedAt`: the version at which an item said what its document says, if it was changed since; undefined if it still does, or if
 * it is no item of the document.
 */
export type ChangedItems = Readonly<{ agreedAt: (item: string) => number | undefined }>;
