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
  /** The changes of the item, as a JSON merge patch. */
  changes: JsonMembers;
  /** The complete line of the log. */
  record: unknown;
}>;

export type FinalItem = z.output<typeof finalSchema>;

type ParseResult<Item> = Readonly<{ items: readonly Item[]; faults: readonly Fault[] }>;

/** Parses the log in order of ids; lines that are not events become faults. */
export function parseWorkEvents({ lines, faults }: JsonLines): ParseResult<WorkEvent> {
  const items: WorkEvent[] = [];
  const allFaults: Fault[] = [...faults];
  for (const { line, value } of lines) {
    const event = readWorkEvent(value);
    if (typeof event === 'string') allFaults.push({ line, detail: event });
    else items.push(event);
  }
  return { items: items.sort((left, right) => left.id - right.id), faults: allFaults };
}

export function parseFinalItems({ lines, faults }: JsonLines): ParseResult<FinalItem> {
  const items: FinalItem[] = [];
  const allFaults: Fault[] = [...faults];
  for (const { line, value } of lines) {
    const item = finalSchema.safeParse(value, inWords);
    if (item.success) items.push(item.data);
    else allFaults.push({ line, detail: z.prettifyError(item.error) });
  }
  return { items, faults: allFaults };
}

function readWorkEvent(value: unknown): WorkEvent | string {
  const parsed = recordSchema.safeParse(value, inWords);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { id, issue_id: itemId, actor, event_type: type } = parsed.data;
  const changes = changesByType[type](parsed.data);
  return changes ? { id, itemId, actor, type, changes, record: value } : `${type} has no changes`;
}

/** The changes of an event by its type; undefined if the record has none. */
const changesByType: Readonly<
  Record<WorkEventType, (record: WorkRecord) => JsonMembers | undefined>
> = {
  // Creating an item again under the id of a closed one opens it.
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

/** The label is only in the comment: `Added label: <label>`. */
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
