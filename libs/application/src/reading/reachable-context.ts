import { Inject, Injectable } from '@nestjs/common';

import { type CallOptions, UndecodableEventError } from '#event-sourcing';
import { type ContextSnapshot, type Selection, ContextReader } from '#read-models';
import {
  type ContextHead,
  type ContextId,
  type ContextState,
  ContextNotFoundError,
} from '#shared-context';
import { type Gate, GatedReader, everything } from '#visibility';

import { reaches, reachesById } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { EventUnreadableError } from '../errors.js';
import { resolveAsOf } from './as-of.js';
import { type AsOf, type SnapshotTag } from './snapshot-tag.js';

/** `gate`: which events the reader sees; undefined for all. `tag` distinguishes copies for different readers. */
type ReaderSight = Readonly<{ gate: Gate | undefined; tag: string | null }>;

export type ReachableSnapshot = ContextSnapshot & Readonly<{ head: ContextHead }> & ReaderSight;

type ReadRequest = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** What a read needs to know: the context, the reader's sight of it, and for how long the reader waits. */
export type ReadSite = ReaderSight & Readonly<{ id: ContextId; options: CallOptions }>;

/** A read at a version through a gate that was in force earlier, as a receipt states it. */
export type EarlierRead = Readonly<{
  principal: Principal;
  contextId: string;
  version: number;
  gate: Gate | undefined;
}>;

/** A read for all principals that see the same of a context; each of them must reach it. */
export type SharedRead = Readonly<{
  /** Equal for all principals that see the same. */
  name: string;
  read: (selection: Selection) => Promise<ReachableSnapshot>;
}>;

/**
 * Reads the contents of a context for a principal: checks that the principal reaches it and may read for the audience, except in
 * {@link ReachableContext.shared}. Missing contexts and contexts out of reach cause the same error.
 */
@Injectable()
export class ReachableContext {
  constructor(
    @Inject(ContextReader) readonly reader: ContextReader,
    readonly gated: GatedReader,
    private readonly audiences: Audiences,
  ) {}

  /** The head alone, for who goes on to read what no gate is before: only for keys that see everything. */
  readWhole(wanted: Omit<ReadRequest, 'asOf' | 'audience'>): Promise<ReachableSnapshot> {
    return this.read({ ...wanted, audience: everything }, nothing);
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

  /** The selected items as the reader sees them. `known`: a version that an earlier read has returned. */
  read(
    { known, ...request }: ReadRequest & Readonly<{ known?: number }>,
    selection: Selection | ((gate: Gate | undefined) => Selection),
  ): Promise<ReachableSnapshot> {
    const { asOf, signal } = request;
    return this.readBy(request, async ({ id, gate, options }) => {
      const version = known ?? (await resolveAsOf(this.reader, id, asOf, signal));
      if (version === 0) throw await this.#beforeCreation(request);
      const selected = typeof selection === 'function' ? selection(gate) : selection;
      return this.gated.read({ id, gate, version, options }, selected);
    });
  }

  /**
   * Reads in another way than {@link read}: `read` must return nothing but what the gate lets through. It is called only for
   * contexts that the principal reaches, or would if there were one of this id: neither time nor errors reveal what is out of reach.
   */
  async readBy<Found extends FoundHead>(
    { principal, contextId, audience, signal }: Omit<ReadRequest, 'asOf'>,
    read: (site: ReadSite) => Promise<Found | undefined>,
  ): Promise<Reached<Found> & ReaderSight> {
    const id = { workspace: principal.workspace, contextId };
    const options = signal ? { signal } : {};
    const sight = await this.audiences.open(principal, audience);
    return readable(async () => {
      const isRefused = 'refusal' in sight;
      if (isRefused || !reachesById(principal, contextId)) await this.#head(principal, id, options);
      if (isRefused) throw sight.refusal;
      return { ...reachable(principal, await read({ id, ...sight, options })), ...sight };
    });
  }

  /** Reads again what an earlier read has shown, through the gate of then. */
  async readAsThen(
    { principal, contextId, version, gate }: EarlierRead,
    selection: Selection,
  ): Promise<Reached<ContextSnapshot> & Pick<ReaderSight, 'gate'>> {
    const id = { workspace: principal.workspace, contextId };
    return readable(async () => {
      if (!reachesById(principal, contextId)) await this.#head(principal, id, {});
      const found = await this.gated.read({ id, version, gate }, selection);
      return { ...reachable(principal, found), gate };
    });
  }

  /** More items of a snapshot. */
  async readMore(
    { head, gate }: Pick<ReachableSnapshot, 'head' | 'gate'>,
    selection: Selection,
  ): Promise<ContextState> {
    return (await this.gated.read({ id: head, gate, version: head.version }, selection)).state;
  }

  /** Whether there is such a context and the principal reaches it. */
  async isReached(principal: Principal, contextId: string): Promise<boolean> {
    const id = { workspace: principal.workspace, contextId };
    const { head } = await this.reader.read(id, nothing);
    return head !== undefined && reaches(principal, head);
  }

  async #head(principal: Principal, id: ContextId, options: CallOptions): Promise<ContextHead> {
    return reachable(principal, await this.reader.read(id, nothing, options)).head;
  }

  /** The error for a read before the creation of a context. It states when that was, if the principal reaches the context. */
  async #beforeCreation({ principal, contextId, asOf, signal }: ReadRequest): Promise<Error> {
    const id = { workspace: principal.workspace, contextId };
    const { createdAt } = await this.#head(principal, id, signal ? { signal } : {});
    return new ContextNotFoundError(
      `the context was not there yet at ${asOf}: it was created at ${createdAt}, so read it as of version 1 or later`,
    );
  }
}

type FoundHead = Readonly<{ head: ContextHead | undefined }>;

type Reached<Found extends FoundHead> = Found & Readonly<{ head: ContextHead }>;

const nothing = { keys: [], bodies: false };

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

function reachable<Found extends FoundHead>(
  principal: Principal,
  found: Found | undefined,
): Reached<Found> {
  const head = found?.head;
  if (!found || !head || !reaches(principal, head)) throw new ContextNotFoundError();
  return { ...found, head };
}

/** What answers say of the snapshot they were made from. */
export function seenOf({ head, tag }: Pick<ReachableSnapshot, 'head' | 'tag'>): SnapshotTag {
  return { version: head.version, tag };
}
