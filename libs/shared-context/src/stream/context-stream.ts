/** The owner of a context: its workspace and its id there. */
export type ContextId = Readonly<{ workspace: string; contextId: string }>;

const pattern = /^context-([A-Za-z0-9._-]{1,128}):([A-Za-z0-9._-]{1,128})$/;

export function contextStream({ workspace, contextId }: ContextId): string {
  return `context-${workspace}:${contextId}`;
}

/** `undefined` if the stream is not that of a context. */
export function contextOfStream(stream: string): ContextId | undefined {
  const [, workspace, contextId] = pattern.exec(stream) ?? [];
  return workspace && contextId ? { workspace, contextId } : undefined;
}
