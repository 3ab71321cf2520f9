import { Inject, Injectable } from '@nestjs/common';

import { UndecodableEventError } from '#event-sourcing';
import {
  type ContextHead,
  ContextReader,
  type ContextSnapshot,
  type Selection,
} from '#read-models';
import { ContextNotFoundError } from '#shared-context';

import { reaches, seesWhole } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { EventUnreadableError, InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { isVersion, resolveAsOf } from './as-of.js';
import { type AsOf } from './context.queries.js';

export type ReachableSnapshot = ContextSnapshot & Readonly<{ head: ContextHead }>;

type Wanted = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  signal?: AbortSignal | undefined;
}>;

/** Contexts as a principal may see them: what is not there and what is out of reach look the same. */
@Injectable()
export class ReachableContext {
  constructor(@Inject(ContextReader) readonly reader: ContextReader) {}

  async read(
    { principal, contextId, asOf, signal }: Wanted,
    selection: Selection,
  ): Promise<ReachableSnapshot> {
    const id = { workspace: principal.workspace, contextId };
    const options = signal ? { signal } : {};
    return readable(async () => {
      // A version beyond the head is refused by telling the head: only to whom the context is in reach.
      if (asOf !== undefined && isVersion(asOf))
        reachable(principal, await this.reader.read(id, { keys: [], bodies: false }, options));
      const version = await resolveAsOf(this.reader, id, asOf, signal);
      if (version === 0) throw new ContextNotFoundError();
      const snapshot =
        version === undefined
          ? await this.reader.read(id, selection, options)
          : await this.reader.readAt(id, version, selection, options);
      return reachable(principal, snapshot);
    });
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

function reachable(principal: Principal, { head, state }: ContextSnapshot): ReachableSnapshot {
  if (!head || !reaches(principal, head)) throw new ContextNotFoundError();
  if (!seesWhole(principal))
    throw new ResourceNotFoundError('this key may not read for the audience "all"');
  return { head, state };
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
