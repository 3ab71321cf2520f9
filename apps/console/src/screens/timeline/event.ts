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

/** Members of payloads that name their subject, and members with its content. */
const subjectMembers = [
  'stepId',
  'taskId',
  'topic',
  'subject',
  'artifact',
  'riskId',
  'phase',
  'path',
];
const contentMembers = [
  'decision',
  'title',
  'note',
  'summary',
  'text',
  'message',
  'question',
  'description',
  'signal',
  'mitigation',
  'reason',
  'name',
  'output',
];
const maxHeadline = 200;

/** The subject of a payload, its most informative member and its status in one line; empty if it has none of them. */
export function headlineOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  const members: Readonly<Record<string, unknown>> = { ...data };
  const parts = [firstOf(members, subjectMembers), firstOf(members, contentMembers)];
  const text = [...parts, textOf(members['status'])].filter((part) => part !== '').join(' · ');
  return text.length > maxHeadline ? `${text.slice(0, maxHeadline)}…` : text;
}

function firstOf(members: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) {
    const text = textOf(members[name]);
    if (text !== '') return text;
  }
  return '';
}

/** The text of a value; of an object, its summary or its JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const { summary } = Object(value) as Readonly<{ summary?: unknown }>;
  return typeof summary === 'string' ? summary : JSON.stringify(value);
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
