/** An event of a context, as `GET /v1/contexts/{id}/events` returns it. */
export type ContextEvent = Readonly<{
  eventId: string;
  type: string;
  version: number;
  recordedAt: string;
  principal: string;
  origin: Readonly<{ agentId: string | null }> | null;
  visibility: 'record' | 'working';
  data: unknown;
}>;

/** Who did it: the agent that the principal acted for, otherwise the principal. */
export function actorOf({ origin, principal }: Pick<ContextEvent, 'origin' | 'principal'>): string {
  return origin?.agentId ?? principal;
}

/** The words of a type: `StepOutputAdded` becomes `step output added`. */
export function wordsOf(type: string): string {
  return type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

const headlineMembers = [
  'decision',
  'title',
  'note',
  'summary',
  'text',
  'message',
  'reason',
  'stepId',
  'name',
  'taskId',
];

/** The member of a payload that says most in one line; empty if none does. */
export function headlineOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  const members: Readonly<Record<string, unknown>> = { ...data };
  for (const name of headlineMembers) {
    const value = members[name];
    if (typeof value === 'string') return value;
  }
  return '';
}

/** The decision that an event records, approves or rejects; undefined for other events. */
export function decisionIdOf({
  type,
  data,
}: Pick<ContextEvent, 'type' | 'data'>): string | undefined {
  if (!type.startsWith('Decision') || typeof data !== 'object' || data === null) return undefined;
  const { decisionId }: Readonly<{ decisionId?: unknown }> = data;
  return typeof decisionId === 'string' ? decisionId : undefined;
}
