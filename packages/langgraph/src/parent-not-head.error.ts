export type RefusedPut = Readonly<{
  threadId: string;
  namespace: string;
  /** The checkpoint that the new one was made from; undefined if the writer took the thread for empty. */
  parent: string | undefined;
  /** The newest checkpoint of the thread; undefined if it has none (any more). */
  head: string | undefined;
}>;

/** Another writer has moved the thread on: read its head, and run again from there. Nothing was stored. */
export class ParentNotHeadError extends Error {
  readonly code = 'parent-not-head';
  override readonly name = 'ParentNotHeadError';
  readonly threadId: string;
  readonly namespace: string;
  readonly parent: string | undefined;
  readonly head: string | undefined;

  constructor({ threadId, namespace, parent, head }: RefusedPut) {
    const where = namespace === '' ? '' : ` (namespace ${namespace})`;
    super(
      `The checkpoint was not stored: its parent is ${parent ?? 'none'}, but the head of thread ${threadId}${where} is ` +
        `${head ?? 'none'}. Another writer has moved the thread on, or the run began at an older checkpoint: run again ` +
        'from the head, or copy the older checkpoint to a thread of its own with copyCheckpoint.',
    );
    this.threadId = threadId;
    this.namespace = namespace;
    this.parent = parent;
    this.head = head;
  }
}
