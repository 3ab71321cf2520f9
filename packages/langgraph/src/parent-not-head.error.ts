export type RefusedPut = Readonly<{
  threadId: string;
  namespace: string;
  /** The checkpoint from which the new one was made; undefined if the writer assumed an empty thread. */
  parent: string | undefined;
  /** The newest checkpoint of the thread; undefined if the thread is empty or deleted. */
  head: string | undefined;
}>;

/** Another writer has added a checkpoint to the thread. Nothing was stored: read the head and run again from it. */
export class ParentNotHeadError extends Error {
  readonly code = 'parent-not-head';
  override readonly name = 'ParentNotHeadError';
  readonly threadId: string;
  readonly namespace: string;
  readonly parent: string | undefined;
  readonly head: string | undefined;

  constructor({ threadId, namespace, parent, head }: RefusedPut) {
    const suffix = namespace === '' ? '' : ` (namespace ${namespace})`;
    super(
      `The checkpoint was not stored: its parent is ${parent ?? 'none'}, but the head of thread ${threadId}${suffix} is ` +
        `${head ?? 'none'}. Another writer has added a checkpoint, or the run began at an older checkpoint: run again ` +
        'from the head, or copy the older checkpoint to another thread with copyCheckpoint.',
    );
    this.threadId = threadId;
    this.namespace = namespace;
    this.parent = parent;
    this.head = head;
  }
}
