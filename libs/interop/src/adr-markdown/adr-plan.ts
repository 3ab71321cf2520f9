import { type JsonObject, type JsonValue, isVisible } from '#event-sourcing';
import { type ClientPayload } from '#shared-context';

import {
  type ClaimedOrigin,
  type PlannedEvent,
  type ReadDocument,
  type ReadingNote,
} from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { type AdrPart } from './adr-document.js';
import { UniqueNames } from '../text/unique-names.js';
import { adrSlug } from './adr-names.js';
import { adrNotes, isUsableAuthor } from './adr-notes.js';
import { type OtherSection, nameOf } from './adr-record.js';
import { unreferenced } from '../markdown/character-reference.js';
import { plainTitle } from './adr-text.js';
import { type ResolvedRecord } from './supersession.js';

const longestTitle = 1000;

/** The events, pieces and notes of a record. */
export class AdrPlan {
  readonly events: readonly PlannedEvent[];
  readonly notes: readonly ReadingNote[];
  readonly #items = new Map<AdrPart, readonly string[]>();
  readonly #origin: ClaimedOrigin;
  readonly #own: readonly string[];

  constructor(readonly resolved: ResolvedRecord) {
    const { record } = resolved;
    this.#origin = originOf(resolved);
    const details = this.#details();
    this.#own = [itemRef('decision', record.id), ...details.map(({ item }) => item)];
    const ids = new UniqueNames();
    ids.take('details');
    this.events = [
      this.#decision(),
      ...details,
      ...record.others.map((section) => this.#section(section, ids)),
    ];
    this.notes = adrNotes(
      resolved,
      record.divided.parts.filter((part) => this.#isText(part)),
    );
  }

  document(): ReadDocument {
    const { name, divided } = this.resolved.record;
    return {
      name,
      pieces: divided.parts.map((part) => ({ text: part.text, items: this.#itemsOf(part) })),
    };
  }

  #itemsOf(part: AdrPart): readonly string[] {
    if (this.#isText(part)) return [];
    return this.#items.get(part) ?? this.#own;
  }

  /** Whether the part is a section with an unknown heading and without text. */
  #isText(part: AdrPart): boolean {
    return part.kind === 'section' && part.role === undefined && !this.#items.has(part);
  }

  #decision(): PlannedEvent {
    const { record } = this.resolved;
    return {
      item: itemRef('decision', record.id),
      event: { type: 'DecisionRecorded', data: decisionOf(this.resolved) },
      ...this.#place(1),
    };
  }

  /** A record with the title and the metadata that the decision has no place for: people, tags and so on. */
  #details(): PlannedEvent[] {
    const { record } = this.resolved;
    const name = nameOf(record);
    const hasTitle = isVisible(record.title) && !beginsWith(decisionText(this.resolved), name);
    const fields: JsonObject = { ...(hasTitle && { title: name }), ...record.details };
    if (Object.keys(fields).length === 0) return [];
    const recordId = `${record.id}.details`;
    return [
      {
        item: itemRef('record', recordId),
        event: {
          type: 'RecordAppended',
          data: { recordId, kind: 'custom', title: titled(name, 'Details'), fields },
        },
        ...this.#place(1),
      },
    ];
  }

  #section({ part, text }: OtherSection, ids: UniqueNames): PlannedEvent {
    const { record } = this.resolved;
    const recordId = `${record.id}.${ids.take(adrSlug(unreferenced(part.heading)) || 'section')}`;
    this.#items.set(part, [itemRef('record', recordId)]);
    const title = titled(nameOf(record), plainTitle(part.heading));
    return {
      item: itemRef('record', recordId),
      event: { type: 'RecordAppended', data: { recordId, kind: 'custom', title, body: text } },
      ...this.#place(part.line),
    };
  }

  #place(line: number): Pick<PlannedEvent, 'origin' | 'place'> {
    const { name } = this.resolved.record;
    const origin = Object.keys(this.#origin).length > 0 && { origin: this.#origin };
    return { ...origin, place: { document: name, line, pointer: '' } };
  }
}

/** The title of a record in lists: the decision, and the part of it. */
function titled(name: string, part: string): string {
  const suffix = `: ${part}`.slice(0, longestTitle / 2);
  const title = `${name.slice(0, longestTitle - suffix.length)}${suffix}`;
  return title.toWellFormed();
}

function decisionText({ record }: ResolvedRecord): string {
  const title = nameOf(record);
  return record.decision ?? (isVisible(title) ? title : record.id);
}

function decisionOf(resolved: ResolvedRecord): ClientPayload<'DecisionRecorded'> {
  const { record, status, supersedes, related } = resolved;
  return {
    decisionId: record.id,
    decision: decisionText(resolved),
    ...present('rationale', record.rationale),
    ...present<JsonValue>('alternativesConsidered', record.alternatives),
    ...present<JsonValue>('tradeOffs', record.tradeOffs),
    ...(related.length > 0 && { relatedDecisions: [...related] }),
    ...present('supersedes', supersedes),
    ...(status === 'proposed' && { requiresApproval: true }),
    ...present('date', record.date),
    ...(status === 'rejected' && { rejected: true as const }),
    ...(status === 'deprecated' && { deprecated: true as const }),
  };
}

function present<Value>(name: string, value: Value | undefined): Record<string, Value> {
  return value === undefined ? {} : { [name]: value };
}

function originOf({ record }: ResolvedRecord): ClaimedOrigin {
  const [first] = record.deciders;
  return {
    ...(first !== undefined && isUsableAuthor(first) && { agentId: first }),
    ...(record.date !== undefined && { timestamp: `${record.date}T00:00:00Z` }),
  };
}

function beginsWith(text: string, title: string): boolean {
  return text.slice(0, title.length).toLowerCase() === title.toLowerCase();
}
