import { Injectable } from '@nestjs/common';

import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type DocumentFacts, type Family, type Item, renderDocument } from '#shared-context';

import { AgentRegistry } from '../agents/agent-registry.js';
import { SettingsStore } from '../settings/settings-store.js';
import { warningOf } from './context-summary.js';
import { ReachableContext, type ReachableSnapshot } from './reachable-context.js';

/** Renders contexts as their reader sees them. */
@Injectable()
export class Documents {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly agents: AgentRegistry,
    private readonly settings: SettingsStore,
  ) {}

  /** The document of a snapshot of everything a document shows, and of its family where that is known. */
  async render(snapshot: ReachableSnapshot, family?: Family): Promise<JsonObject> {
    const { head, state, gate } = snapshot;
    const last = gate ? await this.#lastSeen(snapshot) : head;
    const registry = await this.agents.shownAt(head.workspace, last.modifiedAt, state.values());
    if (!gate) return { ...documentOf(snapshot, registry), ...family };
    const seen = renderParts(snapshot, { ...last, registry, size: noSize });
    const document = { ...seen, ...family };
    return { ...document, size: sizeOf(document, state.values()) };
  }

  /** Beside a document: that it is large, as lists warn of it. How much is hidden from others, they are not told. */
  async notes({ head, gate }: ReachableSnapshot): Promise<readonly string[]> {
    if (gate) return [];
    const { tokenThreshold } = await this.settings.find(head.workspace);
    const warning = warningOf(head.tokens, tokenThreshold);
    return warning ? [`${warning.code}: ${head.tokens} tokens of ${tokenThreshold}`] : [];
  }

  /** When and by whom what is seen was changed last: that somebody wrote what is not seen, is not seen. */
  async #lastSeen({ head, state }: ReachableSnapshot) {
    const version = versionsOf(state.values()).reduce((newest, one) => Math.max(newest, one), 1);
    const { head: then } = await this.contexts.reader.readAt(head, version, nothing);
    return then ?? head;
  }
}

const nothing = { keys: [], bodies: false };
const noSize = { events: 0, bytes: 0, tokens: 0 };

/** Parts of a document whose items a snapshot has, sizes and authorship from its head. */
export function documentOf(
  snapshot: ReachableSnapshot,
  registry: DocumentFacts['registry'] = [],
): JsonObject {
  const { version, bytes, tokens, modifiedAt, modifiedBy } = snapshot.head;
  const size = { events: version, bytes, tokens };
  return renderParts(snapshot, { modifiedAt, modifiedBy, registry, size });
}

type Beside = Readonly<{ modifiedAt: string; modifiedBy: string }> &
  Pick<DocumentFacts, 'registry' | 'size'>;

function renderParts(
  { head, state, gate }: ReachableSnapshot,
  { modifiedAt, modifiedBy, registry, size }: Beside,
): JsonObject {
  const document = renderDocument(state.values(), {
    workspace: head.workspace,
    contextId: head.contextId,
    version: head.version,
    lastModifiedAt: modifiedAt,
    lastModifiedBy: modifiedBy,
    registry,
    size,
  });
  if (!gate?.liveDecisionsOnly) return document;
  // What is in force is known once all are looked at together, so it is chosen from the rendered ones.
  const decisions = objectsOf(document['decisionHistory']).filter(({ live }) => live === true);
  return { ...document, decisionHistory: decisions };
}

/** Of what is seen: versions that made it, and the document itself. */
function sizeOf(document: JsonObject, items: Iterable<Item>): DocumentFacts['size'] {
  const text = JSON.stringify(document);
  const events = new Set(versionsOf(items)).size;
  return { events, bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) };
}

/** What a fork inherits came with its version 1. */
function versionsOf(items: Iterable<Item>): readonly number[] {
  return Array.from(items, ({ fromVersion }) => Math.max(fromVersion, 1));
}

/** The document's lists hold objects; its type does not say so. */
export function objectsOf(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? (list as JsonObject[]) : [];
}
