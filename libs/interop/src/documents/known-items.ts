import { type JsonValue } from '#event-sourcing';

import { type PlannedEvent } from './document-format.js';
import { itemOfRef, itemRef } from './item-ref.js';

/** An item of the context, with its payload. */
export type KnownItem = Readonly<{ kind: string; key: string; body: JsonValue | undefined }>;

/** Kinds of items that documents may repeat under other ids. */
export const matchedKinds = [
  ...(['task', 'requirement', 'decision', 'record', 'review'] as const),
  ...(['artifact', 'handover', 'risk', 'blocker'] as const),
] as const;

type MatchedKind = (typeof matchedKinds)[number];
type Payload = Readonly<Record<string, unknown>>;

/** The values that identify an item of a kind, regardless of its id. */
const cores: Readonly<Record<MatchedKind, (payload: Payload) => readonly unknown[]>> = {
  task: ({ title }) => [title],
  requirement: ({ text }) => [text],
  decision: ({ decision }) => [decision],
  record: ({ kind, title, body }) => [kind, title, body],
  review: ({ status, keyIssues }) => [status, issueTexts(keyIssues)],
  artifact: ({ path, uri }) => [path, uri],
  handover: ({ to, note }) => [to, note],
  risk: ({ description }) => [description],
  blocker: ({ description }) => [description],
};

/** How an item that a document has for the first time relates to the context. */
type Match =
  | Readonly<{ is: 'new' | 'stored' | 'another' }>
  /** The context has it already, perhaps under another id. */
  | Readonly<{ is: 'known'; item: string; body: Payload }>;

/**
 * Finds the items of a context that a document repeats: an export prints items of agents, and the same document may be
 * imported again. `named`: items that earlier documents name.
 */
export class KnownItems {
  readonly #byRef = new Map<string, KnownItem>();
  readonly #byCore: Map<string, KnownItem[]>;

  constructor(items: readonly KnownItem[], named: ReadonlySet<string>) {
    for (const item of items) this.#byRef.set(`${item.kind}:${item.key}`, item);
    const unnamed = items.filter(
      ({ kind, key }) => isMatched(kind) && !named.has(`${kind}:${key}`),
    );
    this.#byCore = Map.groupBy(unnamed, ({ kind, body }) => coreOf(kind, body) ?? '');
  }

  /** Each item of the context is matched at most once. */
  match({ item, event }: PlannedEvent): Match {
    const { kind } = itemOfRef(item);
    const core = coreOf(kind, event.data);
    const own = this.#byRef.get(item);
    if (own && JSON.stringify(own.body) === JSON.stringify(event.data)) return { is: 'stored' };
    if (core === undefined) return { is: 'new' };
    const same = this.#take(core, own);
    if (same && isMatched(same.kind))
      return { is: 'known', item: itemRef(same.kind, same.key), body: payloadOf(same.body) };
    return { is: own ? 'another' : 'new' };
  }

  has(item: string): boolean {
    return this.#byRef.has(item);
  }

  /** Takes an item with the same core, if possible the one with its own id. */
  #take(core: string, own: KnownItem | undefined): KnownItem | undefined {
    const found = this.#byCore.get(core) ?? [];
    const at = Math.max(0, own ? found.indexOf(own) : 0);
    return found.splice(at, 1)[0];
  }
}

function coreOf(kind: string, payload: unknown): string | undefined {
  if (!isMatched(kind)) return undefined;
  return JSON.stringify([kind, ...cores[kind](payloadOf(payload)).map(comparable)]);
}

/** White space is ignored, because documents wrap lines. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : (value ?? null);
}

function issueTexts(issues: unknown): readonly unknown[] {
  return Array.isArray(issues) ? issues.map((issue) => comparable(payloadOf(issue)['text'])) : [];
}

function payloadOf(value: unknown): Payload {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function isMatched(kind: string): kind is MatchedKind {
  return Object.hasOwn(cores, kind);
}
