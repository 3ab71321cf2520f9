import { Inject, Injectable } from '@nestjs/common';

import { type Gate, everything } from '#context-views';
import { UndecodableEventError } from '#event-sourcing';
import {
  type ContextHead,
  ContextReader,
  type ContextSnapshot,
  type Selection,
} from '#read-models';
import { ContextNotFoundError } from '#shared-context';

import { reaches } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { GatedReader } from '../audiences/gated-reader.js';
import { EventUnreadableError, InvalidInputError } from '../errors.js';
import { isVersion, resolveAsOf } from './as-of.js';
import { type AsOf, type SnapshotTag } from './context.queries.js';

/** `gate`: what the reader sees of it, undefined for everything; `tag` tells copies for different readers apart. */
export type ReachableSnapshot = ContextSnapshot &
  Readonly<{ head: ContextHead; gate: Gate | undefined; tag: string | null }>;

type ReadRequest = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** A read for all principals that see the same of a context; each of them must reach it. */
export type SharedRead = Readonly<{
  /** Equal for all principals that see the same. */
  name: string;
  read: (selection: Selection) => Promise<ReachableSnapshot>;
}>;

/** Reads contexts as a principal may see them. Missing contexts and contexts out of reach cause the same error. */
@Injectable()
export class ReachableContext {
  constructor(
    @Inject(ContextReader) readonly reader: ContextReader,
    readonly gated: GatedReader,
    private readonly audiences: Audiences,
  ) {}

  /** The head alone, for who goes on to read what no gate is before: only for keys that see everything. */
  readWhole(wanted: Omit<ReadRequest, 'asOf' | 'audience'>): Promise<ReachableSnapshot> {
    return this.read({ ...wanted, audience: everything }, { keys: [], bodies: false });
  }

  /** The present context, for all principals that see the same as this one, whether or not they reach it. */
  shared({ principal, contextId, audience }: Omit<ReadRequest, 'asOf' | 'signal'>): SharedRead {
    const id = { workspace: principal.workspace, contextId };
    const name = [principal.workspace, contextId, this.audiences.nameOf(principal, audience)];
    return {
      name: JSON.stringify(name),
      read: async (selection) => {
        const sight = await this.audiences.open(principal, audience);
        if ('refusal' in sight) throw sight.refusal;
        return readable(async () => {
          const { head, state } = await this.gated.read({ id, gate: sight.gate }, selection);
          if (!head) throw new ContextNotFoundError();
          return { head, state, ...sight };
        });
      },
    };
  }

  /** What the reader sees of it; what is selected may depend on that. `known`: a version that an earlier read has answered. */
  async read(
    {
      principal,
      contextId,
      asOf,
      known,
      audience,
      signal,
    }: ReadRequest & Readonly<{ known?: number }>,
    selection: Selection | ((gate: Gate | undefined) => Selection),
  ): Promise<ReachableSnapshot> {
    const id = { workspace: principal.workspace, contextId };
    const options = signal ? { signal } : {};
    const sight = await this.audiences.open(principal, audience);
    return readable(async () => {
      if ('refusal' in sight) {
        reachable(principal, await this.reader.read(id, { keys: [], bodies: false }, options));
        throw sight.refusal;
      }
      // A version beyond the head is refused by telling the head: only to whom the context is in reach.
      if (asOf !== undefined && isVersion(asOf))
        reachable(principal, await this.reader.read(id, { keys: [], bodies: false }, options));
      const version = known ?? (await resolveAsOf(this.reader, id, asOf, signal));
      if (version === 0) throw await this.#beforeCreation({ principal, contextId, asOf, signal });
      const asked = { id, gate: sight.gate, version, options };
      const selected = typeof selection === 'function' ? selection(sight.gate) : selection;
      return { ...reachable(principal, await this.gated.read(asked, selected)), ...sight };
    });
  }

  /** The error for a read before the creation of a context. It states when that was, if the principal reaches the context. */
  async #beforeCreation({ principal, contextId, asOf, signal }: ReadRequest): Promise<Error> {
    const id = { workspace: principal.workspace, contextId };
    const nothing = { keys: [], bodies: false };
    const { head } = reachable(
      principal,
      await this.reader.read(id, nothing, signal && { signal }),
    );
    return new ContextNotFoundError(
      `the context was not there yet at ${asOf}: it was created at ${head.createdAt}, so read it as of version 1 or later`,
    );
  }
}

/** An event nobody here can read makes its context unreadable, not the server broken. */
export async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UndecodableEventError)
      throw new EventUnreadableError(
        'this context holds an event that this version of Throughline cannot read',
        { cause: error },
      );
    throw error;
  }
}

function reachable(principal: Principal, { head, state }: ContextSnapshot) {
  if (!head || !reaches(principal, head)) throw new ContextNotFoundError();
  return { head, state };
}

/** What answers say of the snapshot they were made from. */
export function seenOf({ head, tag }: ReachableSnapshot): SnapshotTag {
  return { version: head.version, tag };
}

/** Page numbers as cursors: the items are of one context, in memory, in a fixed order. */
export function pageOf<Item>(
  items: readonly Item[],
  { cursor, limit }: Readonly<{ cursor?: string | undefined; limit: number }>,
): Readonly<{ items: readonly Item[]; nextCursor: string | null }> {
  const from = cursor === undefined ? 0 : offsetOf(cursor);
  const end = from + limit;
  return {
    items: items.slice(from, end),
    nextCursor: end < items.length ? Buffer.from(String(end)).toString('base64url') : null,
  };
}

function offsetOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidInputError([
      {
        pointer: '/cursor',
        detail: 'is not a cursor of this list: pass back nextCursor as it was given',
      },
    ]);
  return Number(text);
}
