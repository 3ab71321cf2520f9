import { Inject, Injectable } from '@nestjs/common';

import { type CallOptions, UndecodableEventError } from '#event-sourcing';
import { type ContextSnapshot, type Selection, ContextReader } from '#read-models';
import {
  type ContextHead,
  type ContextId,
  type ContextState,
  ContextNotFoundError,
} from '#shared-context';
import { type VisibilityFilter, FilteredReader, everything } from '#visibility';

import { reaches, reachesById } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { EventUnreadableError } from '../errors.js';
import { resolveAsOf } from './as-of.js';
import { type AsOf, type SnapshotTag } from './snapshot-tag.js';

/**
 * `filter`: selects the events that the reader sees; undefined for all. `tag` distinguishes copies for different
 * readers.
 */
type ReadAccess = Readonly<{ filter: VisibilityFilter | undefined; tag: string | null }>;

export type AuthorizedSnapshot = ContextSnapshot & Readonly<{ head: ContextHead }> & ReadAccess;

type ReadRequest = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** The input of a read: the context, the access of the reader, and the call options. */
export type AuthorizedRead = ReadAccess & Readonly<{ id: ContextId; options: CallOptions }>;

/** A read at a version through the visibility filter that a receipt states. */
export type EarlierRead = Readonly<{
  principal: Principal;
  contextId: string;
  version: number;
  filter: VisibilityFilter | undefined;
}>;

/** A read for all principals that see the same of a context; each of them must reach it. */
export type SharedRead = Readonly<{
  /** Equal for all principals that see the same. */
  name: string;
  read: (selection: Selection) => Promise<AuthorizedSnapshot>;
}>;

/**
 * Reads the contents of a context for a principal: checks that the principal reaches it and may read for the audience,
 * except in {@link AuthorizedContextReader.shared}. Missing contexts and contexts out of reach cause the same error.
 */
@Injectable()
export class AuthorizedContextReader {
  constructor(
    @Inject(ContextReader) readonly reader: ContextReader,
    readonly filteredReader: FilteredReader,
    private readonly audiences: Audiences,
  ) {}

  /** Reads only the head, for reads that apply no visibility filter: only for keys that see everything. */
  readHead(request: Omit<ReadRequest, 'asOf' | 'audience'>): Promise<AuthorizedSnapshot> {
    return this.read({ ...request, audience: everything }, nothing);
  }

  /** Reads the current context for all principals that see the same as this one, without a check of access. */
  shared({ principal, contextId, audience }: Omit<ReadRequest, 'asOf' | 'signal'>): SharedRead {
    const id = { workspace: principal.workspace, contextId };
    const name = [principal.workspace, contextId, this.audiences.nameOf(principal, audience)];
    return {
      name: JSON.stringify(name),
      read: async (selection) => {
        const access = await this.audiences.open(principal, audience);
        if ('refusal' in access) throw access.refusal;
        return readable(async () => {
          const { head, state } = await this.filteredReader.read(
            { id, filter: access.filter },
            selection,
          );
          if (!head) throw new ContextNotFoundError();
          return { head, state, ...access };
        });
      },
    };
  }

  /** Reads the selected items as the reader sees them. `known`: a version that an earlier read has returned. */
  read(
    { known, ...request }: ReadRequest & Readonly<{ known?: number }>,
    selection: Selection | ((filter: VisibilityFilter | undefined) => Selection),
  ): Promise<AuthorizedSnapshot> {
    const { asOf, signal } = request;
    return this.readBy(request, async ({ id, filter, options }) => {
      const version = known ?? (await resolveAsOf(this.reader, id, asOf, signal));
      if (version === 0) throw await this.#beforeCreation(request);
      const selected = typeof selection === 'function' ? selection(filter) : selection;
      return this.filteredReader.read({ id, filter, version, options }, selected);
    });
  }

  /**
   * Reads in another way than {@link read}: `read` must return only data that passes the visibility filter. It is
   * called only for ids that the principal reaches or would reach, so that neither timing nor errors reveal contexts
   * out of reach.
   */
  async readBy<Result extends WithOptionalHead>(
    { principal, contextId, audience, signal }: Omit<ReadRequest, 'asOf'>,
    read: (site: AuthorizedRead) => Promise<Result | undefined>,
  ): Promise<WithHead<Result> & ReadAccess> {
    const id = { workspace: principal.workspace, contextId };
    const options = signal ? { signal } : {};
    const access = await this.audiences.open(principal, audience);
    return readable(async () => {
      const isRefused = 'refusal' in access;
      if (isRefused || !reachesById(principal, contextId)) await this.#head(principal, id, options);
      if (isRefused) throw access.refusal;
      return { ...reachable(principal, await read({ id, ...access, options })), ...access };
    });
  }

  /** Repeats an earlier read, through the visibility filter of that time. */
  async readEarlier(
    { principal, contextId, version, filter }: EarlierRead,
    selection: Selection,
  ): Promise<WithHead<ContextSnapshot> & Pick<ReadAccess, 'filter'>> {
    const id = { workspace: principal.workspace, contextId };
    return readable(async () => {
      if (!reachesById(principal, contextId)) await this.#head(principal, id, {});
      const found = await this.filteredReader.read({ id, version, filter }, selection);
      return { ...reachable(principal, found), filter };
    });
  }

  /** Reads more items at the version of a snapshot. */
  async readMore(
    { head, filter }: Pick<AuthorizedSnapshot, 'head' | 'filter'>,
    selection: Selection,
  ): Promise<ContextState> {
    return (await this.filteredReader.read({ id: head, filter, version: head.version }, selection))
      .state;
  }

  /** Whether the context exists and the principal reaches it. */
  async isReached(principal: Principal, contextId: string): Promise<boolean> {
    const id = { workspace: principal.workspace, contextId };
    const { head } = await this.reader.read(id, nothing);
    return head !== undefined && reaches(principal, head);
  }

  async #head(principal: Principal, id: ContextId, options: CallOptions): Promise<ContextHead> {
    return reachable(principal, await this.reader.read(id, nothing, options)).head;
  }

  /**
   * The error for a read before the creation of a context. It states the time of the creation if the principal reaches
   * the context.
   */
  async #beforeCreation({ principal, contextId, asOf, signal }: ReadRequest): Promise<Error> {
    const id = { workspace: principal.workspace, contextId };
    const { createdAt } = await this.#head(principal, id, signal ? { signal } : {});
    return new ContextNotFoundError(
      `the context did not exist at ${asOf}: it was created at ${createdAt}, so read it as of version 1 or later`,
    );
  }
}

type WithOptionalHead = Readonly<{ head: ContextHead | undefined }>;

type WithHead<Result extends WithOptionalHead> = Result & Readonly<{ head: ContextHead }>;

const nothing = { keys: [], bodies: false };

/** Converts the error for an undecodable event: it makes the context unreadable, but is not a failure of the server. */
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

function reachable<Result extends WithOptionalHead>(
  principal: Principal,
  found: Result | undefined,
): WithHead<Result> {
  const head = found?.head;
  if (!found || !head || !reaches(principal, head)) throw new ContextNotFoundError();
  return { ...found, head };
}

/** The version and the tag of a response. */
export function responseMetadata({
  head,
  tag,
}: Pick<AuthorizedSnapshot, 'head' | 'tag'>): SnapshotTag {
  return { version: head.version, tag };
}
