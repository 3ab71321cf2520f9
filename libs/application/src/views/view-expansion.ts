import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';

import { type TokenizerName, type VersionGroup, parseRef, refOf, wholeText } from '#context-views';
import { type ItemKey, type ItemKind, creationKey, isContent } from '#shared-context';

import { readingAs } from '../access/claimed-agents.js';
import { openedTokenizer } from '../token-counting/opened-tokenizer.js';
import { unitsOf } from '../token-counting/units-of.js';
import { ResourceNotFoundError } from '../errors.js';
import { AuthorizedContextReader, responseMetadata } from '../reading/authorized-context-reader.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewFocus } from './view-focus.js';
import { type ExpandRequest, type ExpandedItem, type Expansion } from './view.messages.js';
import { ItemDetailsReader } from './whole-item-reader.js';
import { type ItemDetails } from './whole-item.js';

export class FindViewItemQuery extends Query<Expansion> {
  constructor(readonly request: ExpandRequest) {
    super();
  }
}

/** Expands refs of views to the original items. */
@Injectable()
export class ViewExpansion {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly defaults: ViewDefaults,
    private readonly focus: ViewFocus,
    private readonly items: ItemDetailsReader,
  ) {}

  /** Throws ResourceNotFoundError if the item is missing or hidden from the reader. */
  async expand(request: ExpandRequest): Promise<Expansion> {
    const found = parseRef(request.ref);
    if (!found) throw refNotFound(request.ref);
    if ('item' in found) return this.#item(request, found.item);
    if ('context' in found) return this.#child(request, found.context);
    return this.#versions(request, found.versions);
  }

  async #item(request: ExpandRequest, key: ItemKey): Promise<Expansion> {
    if (!isReadable(key)) throw refNotFound(request.ref);
    const found = await this.items.find(request, key);
    if (!found) throw refNotFound(request.ref);
    const { snapshot, item, text } = found;
    const details = { ref: refOf(item), version: item.fromVersion, text };
    const answer = await counted(details, await this.#counter(request));
    return { ...responseMetadata(snapshot), answer: { ...answer, value: item.body ?? null } };
  }

  async #versions(request: ExpandRequest, { from, to }: VersionGroup): Promise<Expansion> {
    const { snapshot, items: found, nextCursor } = await this.items.page(request, { from, to });
    const counter = await this.#counter(request);
    const items: CountedDetails[] = [];
    for (const item of found) items.push(await counted(item, counter));
    const answer = { ref: request.ref, form: 'rollup' as const, from, to, items, nextCursor };
    return { ...responseMetadata(snapshot), answer };
  }

  async #child(request: ExpandRequest, contextId: string): Promise<Expansion> {
    const audience = request.audience;
    const snapshot = await this.contexts.read(request, { keys: [], bodies: false });
    const entry = await this.focus.child({ ...request, audience }, contextId);
    if (!entry) throw refNotFound(request.ref);
    const details = { ref: entry.ref, version: entry.version, text: wholeText(entry) };
    const answer = await counted(details, await this.#counter(request));
    return { ...responseMetadata(snapshot), answer: { ...answer, value: entry.value } };
  }

  async #counter(request: ExpandRequest): Promise<Counter> {
    const { tokenizer } = await this.defaults.fill(request);
    const counter = await openedTokenizer(tokenizer);
    const tokens = async (text: string) => counter.tokensOf(await unitsOf(counter, text));
    return { tokenizer, tokens };
  }
}

@QueryHandler(FindViewItemQuery)
export class FindViewItemHandler implements IQueryHandler<FindViewItemQuery> {
  constructor(private readonly expansion: ViewExpansion) {}

  execute({ request }: FindViewItemQuery) {
    const principal = readingAs(request.principal, request.agent);
    return this.expansion.expand({ ...request, principal });
  }
}

/** Items of these kinds only repeat content of reviews, signals and requests for input. */
const derivedKinds: ReadonlySet<ItemKind> = new Set(['newest-review', 'newest-signal', 'provided']);

/** Internal counters and caches of a context are not readable. */
function isReadable({ kind }: ItemKey): boolean {
  return kind === creationKey.kind || (isContent({ kind }) && !derivedKinds.has(kind));
}

type Counter = Readonly<{
  tokenizer: TokenizerName;
  tokens: (text: string) => Promise<number>;
}>;

type CountedDetails = Omit<ExpandedItem, 'value'>;

async function counted(
  { ref, version, text }: ItemDetails,
  { tokenizer, tokens }: Counter,
): Promise<CountedDetails> {
  const shown = Math.max(version, 1);
  return { ref, form: 'whole', version: shown, text, tokens: await tokens(text), tokenizer };
}

function refNotFound(ref: string): ResourceNotFoundError {
  return new ResourceNotFoundError(`there is nothing with the ref "${ref}" that this key may read`);
}
