import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type Database } from '#database';
import { ContextReader, findItemSizes, hasLargerContext } from '#read-models';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  itemKinds,
  kindsOfMembers,
  touchedKeys,
} from '#shared-context';

import { reaches, seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { DATABASE } from '../tokens.js';

/** From this size on, reading a full context takes hundredths of a second. */
const largeBytes = 512 * 1024;
const largeVersion = 500;
const manyItems = 500;
/** Many small items take as long as a few large ones; a context of fewer bytes cannot have so many. */
const largeItems = 2_000;
const bytesOfMany = 16 * 1024;
/** The writes of other processes are noticed after at most this time, the writes of this process immediately. */
const rememberedMs = 5_000;
const maxRemembered = 10_000;

/**
 * Whether reading a full context, or these members of its current document for a reader who sees everything, would
 * delay other requests. False for a missing context and for one out of reach: the time of an answer must not
 * distinguish them.
 */
export class IsLargeContextQuery extends Query<boolean> {
  constructor(
    readonly principal: Principal,
    readonly contextId: string,
    readonly members?: readonly string[],
  ) {
    super();
  }
}

/** Whether any context of any workspace is large: workers are then needed soon. */
export class HasLargeContextsQuery extends Query<boolean> {}

@QueryHandler(HasLargeContextsQuery)
export class HasLargeContextsHandler implements IQueryHandler<HasLargeContextsQuery> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  execute(): Promise<boolean> {
    return hasLargerContext(this.db, { bytes: largeBytes, version: largeVersion });
  }
}

/**
 * A context after the last write of this process, and the number of items that its writes touched; repeated ones count
 * each time.
 */
type Growth = Readonly<{ head: ContextHead; items: number }>;

/** Tracks the sizes of contexts after the writes of this process, until they are projected. */
@Injectable()
export class WriteGrowth {
  readonly #growth = new LRUCache<string, Growth>({ max: maxRemembered });

  /** `head`: the context after these events. */
  note(head: ContextHead, events: readonly DecodedEvent[]): void {
    const name = nameOf(head);
    const before = this.#growth.get(name)?.items ?? 0;
    const items = events.reduce((sum, event) => sum + touchedKeys(event).length, before);
    this.#growth.set(name, { head, items });
  }

  /**
   * The context after the last write, projected or not; undefined if there is none, or if it is known to be projected.
   */
  find(id: ContextId): Growth | undefined {
    return this.#growth.get(nameOf(id));
  }

  /** The context after the last write, if the rows have not reached that version. */
  findUnprojected(id: ContextId, projected: number): Growth | undefined {
    const growth = this.find(id);
    if (!growth || growth.head.version > projected) return growth;
    this.#growth.delete(nameOf(id));
    return undefined;
  }
}

type KnownSize = Readonly<{
  /** The members of a large context that determine access; undefined if the context is not large. */
  large: Pick<ContextHead, 'contextId' | 'workflowId' | 'parent'> | undefined;
  /** Whether the rows lack the last write: the sizes of members are then unknown. */
  isBehind: boolean;
  /** The size of all events at the time of the lookup. */
  bytes: number;
  until: number;
}>;

/**
 * A large context remains large. A small context is looked up again after some seconds, and after this process has
 * written much to it. Writes of this process count before they are projected.
 */
@QueryHandler(IsLargeContextQuery)
export class IsLargeContextHandler implements IQueryHandler<IsLargeContextQuery> {
  readonly #known = new LRUCache<string, KnownSize>({ max: maxRemembered });

  constructor(
    @Inject(ContextReader) private readonly reader: ContextReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly growth: WriteGrowth,
  ) {}

  async execute({ principal, contextId, members }: IsLargeContextQuery): Promise<boolean> {
    const { workspace } = principal;
    const name = nameOf({ workspace, contextId });
    const remembered = this.#known.get(name);
    const { large, isBehind } =
      remembered && isFresh(remembered, this.growth.find({ workspace, contextId }))
        ? remembered
        : await this.#lookUp(name, { workspace, contextId });
    if (large === undefined || !reaches(principal, large)) return false;
    // For a narrower audience, the visibility of a few items may depend on many.
    if (isBehind || !members || !seesEverything(principal)) return true;
    return this.#areLarge({ workspace, contextId }, members);
  }

  async #areLarge(id: ContextId, members: readonly string[]): Promise<boolean> {
    // The current activity takes only a few lookups.
    const shown = kindsOfMembers(members, { activity: false });
    if (shown.kinds.length + shown.states.length === 0) return false;
    const sizes = await findItemSizes(this.db, id, { ...shown, limit: manyItems });
    return !sizes || sizes.items >= manyItems || sizes.bytes > largeBytes;
  }

  /** `written`: the number of items touched by events that the rows lack. */
  async #hasManyItems(head: ContextHead, written: number): Promise<boolean> {
    if (head.bytes < bytesOfMany) return false;
    if (written >= largeItems) return true;
    const counted = { kinds: [], states: itemKinds, limit: largeItems };
    const sizes = await findItemSizes(this.db, head, counted);
    return (sizes?.items ?? 0) + written >= largeItems;
  }

  async #lookUp(name: string, id: ContextId): Promise<KnownSize> {
    const known = await this.#measure(id);
    this.#known.set(name, known);
    return known;
  }

  async #measure(id: ContextId): Promise<KnownSize> {
    const { head: projected } = await this.reader.readProjectedRows(
      id,
      { keys: [], bodies: false },
      {},
    );
    const behind = this.growth.findUnprojected(id, projected?.version ?? 0);
    const head = behind?.head ?? projected;
    const large = head && (await this.#isLarge(head, behind)) ? head : undefined;
    return knownOf(head, { large, isBehind: behind !== undefined });
  }

  async #isLarge(head: ContextHead, behind: Growth | undefined): Promise<boolean> {
    return isLarge(head) || this.#hasManyItems(head, behind?.items ?? 0);
  }
}

function knownOf(
  head: ContextHead | undefined,
  { large, isBehind }: Pick<KnownSize, 'large' | 'isBehind'>,
): KnownSize {
  const until = large && !isBehind ? Infinity : performance.now() + rememberedMs;
  return { large, isBehind, bytes: head?.bytes ?? 0, until };
}

/** Whether the entry is still valid: not for a small context that this process has since written much to. */
function isFresh({ large, bytes, until }: KnownSize, growth: Growth | undefined): boolean {
  if (performance.now() >= until) return false;
  if (large || !growth) return true;
  return !isLarge(growth.head) && growth.head.bytes < bytes + bytesOfMany;
}

/** The figures of a fork or a restored context do not include inherited items, so it counts as large. */
export function isLarge({ bytes, version, lineage }: ContextHead): boolean {
  return bytes > largeBytes || version > largeVersion || lineage !== null;
}

function nameOf({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
