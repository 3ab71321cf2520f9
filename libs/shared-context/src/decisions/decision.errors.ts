import { DomainError } from '#event-sourcing';

/** The topic already has a live decision, which the new one does not supersede. */
export class DecisionTopicTakenError extends DomainError<'decision-topic-taken'> {
  readonly code = 'decision-topic-taken';

  /** `topic` is null if the superseded decision had none; `decisionId` is the decision to supersede instead. */
  constructor(
    readonly topic: string | null,
    readonly decisionId: string,
  ) {
    super(
      topic === null
        ? `already superseded by "${decisionId}": supersede that one`
        : `"${decisionId}" is the live decision on "${topic}": supersede that one`,
      { details: { topic, decisionId } },
    );
  }
}

/** The decision was approved or rejected before, or it never required approval. */
export class ApprovalDecidedError extends DomainError<'approval-decided'> {
  readonly code = 'approval-decided';

  constructor(
    readonly decisionId: string,
    readonly status: string,
  ) {
    super(`decision "${decisionId}" is ${status} already`, { details: { decisionId, status } });
  }
}
