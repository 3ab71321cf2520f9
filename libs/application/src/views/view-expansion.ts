import { Injectable } from '@nestjs/common';

import {
  type Entry,
  type StandingPart,
  type VersionGroup,
  entryOf,
  isShown,
  newestSummary,
  parseRef,
  refOf,
  standingParts,
  timelineSection,
  openTokenizer,
  viewKinds,
  viewSource,
  wholeText,
} from '#context-views';
import { type JsonValue } from '#event-sourcing';
import {
  type ContextState,
  type Item,
  type ItemKey,
  endedDecisions,
  isContent,
  workKinds,
} from '#shared-context';

import { unitsOf } from '../context-summary/units-of.js';
import { ResourceNotFoundError } from '../errors.js';
import { ReachableContext, pageOf, seenOf } from '../reading/reachable-context.js';
import { runInSlices } from '../slices/slices.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewFocus } from './view-focus.js';
import { type ExpandRequest, type ExpandedItem, type Expansion } from './view.messages.js';

/** Follows the refs of views to what they stand for. */
@Injectable()
export class ViewExpansion {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly defaults: ViewDefaults,
    private readonly focus: ViewFocus,
  ) {}

  /** Throws ResourceNotFoundError where the ref leads nowhere, or to what the reader does not see. */
  async expand(request: ExpandRequest): Promise<Expansion> {
    const found = parseRef(request.ref);
    if (!found) throw nowhere(request.ref);
    if ('item' in found) return this.#item(request, found.item);
    if ('context' in found) return this.#child(request, found.context);
    return this.#versions(request, found.versions);
  }

  async #item(request: ExpandRequest, key: ItemKey): Promise<Expansion> {
    if (!isReadable(key)) throw nowhere(request.ref);
    // Work says whether the decisions that it rests on are in force.
    const beside = workKinds.includes(key.kind) ? (['decision'] as const) : [];
    const snapshot = await this.contexts.read(request, { kinds: [key.kind, ...beside] });
    const { state, gate } = snapshot;
    const item = state.get(key.kind, key.key);
    if (!item || (gate && !isShown(gate, item))) throw nowhere(request.ref);
    const units = await this.#counter(request);
    return { ...seenOf(snapshot), answer: await expanded(item, textOf(item, state), units) };
  }

  async #versions(request: ExpandRequest, { from, to }: VersionGroup): Promise<Expansion> {
    const snapshot = await this.contexts.read(request, { kinds: viewKinds });
    const { state, gate, head } = snapshot;
    const all = [...state.values()].filter(({ kind }) => viewKinds.includes(kind));
    const { timeline, standing } = viewSource({
      ...{ contextId: head.contextId, items: all },
      isShown: gate && ((item) => isShown(gate, item)),
    });
    const covered = [...timeline.entries.map(asTold), ...standing.flatMap(asOpen)]
      .filter(({ version }) => Math.max(version, 1) >= from && version <= to)
      .sort((left, right) => left.version - right.version);
    const units = await this.#counter(request);
    const page = pageOf(covered, request);
    const items: Counted[] = [];
    for (const each of page.items) items.push(await counted(each, units));
    const answer = {
      ...{ ref: request.ref, form: 'rollup' as const, from, to },
      items,
      nextCursor: page.nextCursor,
    };
    return { ...seenOf(snapshot), answer };
  }

  async #child(request: ExpandRequest, contextId: string): Promise<Expansion> {
    const audience = request.audience;
    const snapshot = await this.contexts.read(request, { keys: [], bodies: false });
    const entry = await this.focus.child({ ...request, audience }, contextId);
    if (!entry) throw nowhere(request.ref);
    const told = await counted(asTold(entry), await this.#counter(request));
    const answer = { ...told, value: entry.value };
    return { ...seenOf(snapshot), answer };
  }

  async #counter(request: ExpandRequest): Promise<Counter> {
    const { tokenizer } = await this.defaults.fill(request);
    const counter = await runInSlices(openTokenizer(tokenizer));
    const tokens = async (text: string) => counter.tokensOf(await unitsOf(counter, text));
    return { tokenizer, tokens };
  }
}

/** What a context counts and remembers for itself is nobody's to read. */
function isReadable({ kind }: ItemKey): boolean {
  return viewKinds.includes(kind) || isContent({ kind });
}

type Counter = Readonly<{
  tokenizer: ExpandedItem['tokenizer'];
  tokens: (text: string) => Promise<number>;
}>;

async function expanded(
  item: Item,
  text: string,
  { tokenizer, tokens }: Counter,
): Promise<ExpandedItem> {
  const value: JsonValue = item.body ?? null;
  const version = Math.max(item.fromVersion, 1);
  const ref = refOf(item);
  return { ref, form: 'whole', version, text, tokens: await tokens(text), tokenizer, value };
}

type Told = Readonly<{ ref: string; version: number; text: string }>;

function asTold(entry: Entry): Told {
  return { ref: entry.ref, version: entry.version, text: wholeText(entry) };
}

function asOpen({ ref, version, whole }: StandingPart): readonly Told[] {
  return ref === null ? [] : [{ ref, version, text: whole }];
}

type Counted = Omit<ExpandedItem, 'value'>;

async function counted(
  { ref, version, text }: Told,
  { tokenizer, tokens }: Counter,
): Promise<Counted> {
  const shown = Math.max(version, 1);
  return { ref, form: 'whole', version: shown, text, tokens: await tokens(text), tokenizer };
}

/** As views tell it whole. */
function textOf(item: Item, state: ContextState): string {
  const section = timelineSection(item);
  if (section) return wholeText(entryOf(item, section, decisionsIn(state)));
  if (item.kind === 'summary') return newestSummary([item])?.text ?? '';
  return standingParts([item]).find(({ ref }) => ref === refOf(item))?.whole ?? '';
}

function decisionsIn(state: ContextState) {
  return { current: state.lookup, ended: endedDecisions(state.values()) };
}

function nowhere(ref: string): ResourceNotFoundError {
  return new ResourceNotFoundError(`"${ref}" leads to nothing that this key may read`);
}
