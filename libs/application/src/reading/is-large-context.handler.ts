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

/** Reading all of a context takes some hundredths of a second from here on. */
const largeBytes = 512 * 1024;
const largeVersion = 500;
const manyItems = 500;
/** Many small items take as long as a few large ones; a context of fewer bytes has not got so many. */
const largeItems = 2_000;
const bytesOfMany = 16 * 1024;
/** What others write is noticed after so many milliseconds, what this process writes at once. */
const rememberedMs = 5_000;
const maxRemembered = 10_000;

/**
 * Whether a context is so large that reading all of it, or these members of its current document for who sees everything,
 * would keep others waiting; false if it is not there or not within reach, which nobody may tell apart by how long an answer
 * takes.
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

/** Whether any context is so large, whosever it is: then workers are needed soon. */
export class HasLargeContextsQuery extends Query<boolean> {}

@QueryHandler(HasLargeContextsQuery)
export class HasLargeContextsHandler implements IQueryHandler<HasLargeContextsQuery> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  execute(): Promise<boolean> {
    return hasLargerContext(this.db, { bytes: largeBytes, version: largeVersion });
  }
}

/** A context after the last write of this process, and how many items its writes have touched, counted each time. */
type Growth = Readonly<{ head: ContextHead; items: number }>;

/** How large contexts are after the writes of this process, which rows show only once they are projected. */
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

  /** After the last write, whether or not it is projected; undefined if there is none, or if it is known to be projected. */
  find(id: ContextId): Growth | undefined {
    return this.#growth.get(nameOf(id));
  }

  /** After the last write, if that is behind the version that the rows have reached. */
  behind(id: ContextId, projected: number): Growth | undefined {
    const growth = this.find(id);
    if (!growth || growth.head.version > projected) return growth;
    this.#growth.delete(nameOf(id));
    return undefined;
  }
}

type KnownSize = Readonly<{
  /** What of a large context decides who reaches it; undefined if it is not large. */
  large: Pick<ContextHead, 'contextId' | 'workflowId' | 'parent'> | undefined;
  /** Whether the rows have not reached it: they do not say how large its members are. */
  isBehind: boolean;
  /** Of all events, when it was looked up. */
  bytes: number;
  until: number;
}>;

/**
 * A context stays large. Whether a small one has grown is looked up again after some seconds, and once this process has
 * written much to it. What this process has written counts before the rows have it.
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
    // What a narrower audience sees of a few items may depend on many.
    if (isBehind || !members || !seesEverything(principal)) return true;
    return this.#areLarge({ workspace, contextId }, members);
  }

  async #areLarge(id: ContextId, members: readonly string[]): Promise<boolean> {
    // What goes on is a few lookups.
    const shown = kindsOfMembers(members, { activity: false });
    if (shown.kinds.length + shown.states.length === 0) return false;
    const sizes = await findItemSizes(this.db, id, { ...shown, limit: manyItems });
    return !sizes || sizes.items >= manyItems || sizes.bytes > largeBytes;
  }

  /** `written`: how many items are touched by what the rows have not reached. */
  async #hasManyItems(head: ContextHead, written: number): Promise<boolean> {
    if (head.bytes < bytesOfMany) return false;
    if (written >= largeItems) return true;
    const counted = { kinds: [], states: itemKinds, limit: largeItems };
    const sizes = await findItemSizes(this.db, head, counted);
    return (sizes?.items ?? 0) + written >= largeItems;
  }

  async #lookUp(name: string, id: ContextId): Promise<KnownSize> {
    const known = await this.#judge(id);
    this.#known.set(name, known);
    return known;
  }

  async #judge(id: ContextId): Promise<KnownSize> {
    const { head: projected } = await this.reader.readProjectedRows(
      id,
      { keys: [], bodies: false },
      {},
    );
    const behind = this.growth.behind(id, projected?.version ?? 0);
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

/** A small context that this process has written much to since is looked up again. */
function isFresh({ large, bytes, until }: KnownSize, growth: Growth | undefined): boolean {
  if (performance.now() >= until) return false;
  if (large || !growth) return true;
  return !isLarge(growth.head) && growth.head.bytes < bytes + bytesOfMany;
}

/** What a fork or a restore has of others is not in its own figures. */
export function isLarge({ bytes, version, lineage }: ContextHead): boolean {
  return bytes > largeBytes || version > largeVersion || lineage !== null;
}

function nameOf({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
