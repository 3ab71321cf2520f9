import { itemRef } from '../documents/item-ref.js';
import { stages } from '../json/entry-order.js';
import { hasNull } from '../json/has-null.js';
import { type JsonDraft } from '../json/json-draft.js';
import { type JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { ownMembers } from './session-parts.js';

const order = [stages.needs, 0] as const;
/**
 * Reads the members of the global context, the state of the workflow, and members of the session that the format does
 * not have.
 */
export function readGlobal(draft: JsonDraft, entry: JsonEntry): void {
  for (const [name, part] of entry.member('global_context')?.members() ?? [])
    if (ownMembers.has(name)) draft.note(part, 'text', 'another part of the session has this name');
    else if (!part.isNull) planMember(draft, name, part);
  const state = entry.member('workflow_state');
  if (state) planMember(draft, 'workflow_state', state);
  planOthers(draft, entry.rest());
}

function planOthers(draft: JsonDraft, others: ReturnType<JsonEntry['rest']>): void {
  const [first] = others;
  if (!first) return;
  const item = itemRef('global', 'session');
  const values = {
    session: Object.fromEntries(others.map(([name, part]) => [name, part.value()])),
  };
  if (!draft.plan(first[1], { item, type: 'GlobalContextSet', data: { values }, order })) return;
  for (const [name, part] of others) {
    draft.note(
      part,
      'changed',
      `the format has no such member: it becomes global_context.session.${name}`,
    );
    draft.claim(part, [item]);
  }
}

function planMember(draft: JsonDraft, name: string, part: JsonPart): void {
  const item = itemRef('global', name);
  const data = { values: Object.fromEntries([[name, part.value()]]) };
  if (!draft.plan(part, { item, type: 'GlobalContextSet', data, order })) return;
  draft.claim(part, [item]);
  if (hasNull(part.value())) draft.note(part, 'changed', 'its null members are omitted');
}
