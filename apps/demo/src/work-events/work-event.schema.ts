import { z } from 'zod';

import { inWords } from '#event-sourcing';

import { type Fault, type JsonLines } from '../input/json-lines.js';

const eventTypes = [
  'created',
  'status_changed',
  'updated',
  'closed',
  'reopened',
  'renamed',
  'label_added',
  'label_removed',
] as const;

const recordSchema = z.object({
  id: z.int().min(0),
  issue_id: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/),
  actor: z.string().min(1).max(256),
  event_type: z.enum(eventTypes),
  old_value: z.string().nullable(),
  new_value: z.string().nullable(),
  comment: z.string().nullable(),
  created_at: z.string(),
});

const finalSchema = z.object({ id: z.string(), title: z.string(), status: z.string() });

type WorkRecord = z.output<typeof recordSchema>;

export type WorkEventType = (typeof eventTypes)[number];
type JsonMembers = Readonly<Record<string, unknown>>;

export type WorkEvent = Readonly<{
  id: number;
  itemId: string;
  actor: string;
  type: WorkEventType;
  /** What it changes of the item, as a JSON merge patch. */
  changes: JsonMembers;
  /** The line of the log, whole. */
  record: unknown;
}>;

export type FinalItem = z.output<typeof finalSchema>;

type Parsed<Item> = Readonly<{ items: readonly Item[]; faults: readonly Fault[] }>;

/** The log in its order; lines that are no events are faults. */
export function parseWorkEvents({ lines, faults }: JsonLines): Parsed<WorkEvent> {
  const items: WorkEvent[] = [];
  const found: Fault[] = [...faults];
  for (const { line, value } of lines) {
    const event = readWorkEvent(value);
    if (typeof event === 'string') found.push({ line, detail: event });
    else items.push(event);
  }
  return { items: items.sort((left, right) => left.id - right.id), faults: found };
}

export function parseFinalItems({ lines, faults }: JsonLines): Parsed<FinalItem> {
  const items: FinalItem[] = [];
  const found: Fault[] = [...faults];
  for (const { line, value } of lines) {
    const item = finalSchema.safeParse(value, inWords);
    if (item.success) items.push(item.data);
    else found.push({ line, detail: z.prettifyError(item.error) });
  }
  return { items, faults: found };
}

function readWorkEvent(value: unknown): WorkEvent | string {
  const parsed = recordSchema.safeParse(value, inWords);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { id, issue_id: itemId, actor, event_type: type } = parsed.data;
  const changes = changesByType[type](parsed.data);
  return changes ? { id, itemId, actor, type, changes, record: value } : `${type} says not what`;
}

/** What an event of each type changes; undefined if it does not say. */
const changesByType: Readonly<
  Record<WorkEventType, (record: WorkRecord) => JsonMembers | undefined>
> = {
  // Creating an item anew under the id of a closed one opens it.
  created: () => ({ status: 'open' }),
  closed: ({ new_value: reason }) =>
    membersOf(reason) ?? { status: 'closed', close_reason: reason },
  renamed: ({ new_value: id }) => ({ id }),
  label_added: labelChange,
  label_removed: labelChange,
  status_changed: ({ new_value: members }) => membersOf(members),
  updated: ({ new_value: members }) => membersOf(members),
  reopened: ({ new_value: members }) => membersOf(members),
};

/** The label stands in the comment alone: `Added label: <label>`. */
function labelChange({ comment, event_type: type }: WorkRecord): JsonMembers | undefined {
  const label = /^(?:Added|Removed) label: (.+)$/s.exec(comment ?? '')?.[1];
  if (label === undefined) return undefined;
  return { labels: { [label]: type === 'label_added' ? true : null } };
}

function membersOf(text: string | null): JsonMembers | undefined {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
