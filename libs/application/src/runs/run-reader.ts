import { Injectable } from '@nestjs/common';

import { type Selection } from '#read-models';
import { type ContextId, type Source, sourceOf } from '#shared-context';
import { type VisibilityFilter, everything } from '#visibility';

import { type Principal } from '../access/principal.js';
import { readingAs } from '../access/claimed-agents.js';
import { Audiences } from '../audiences/audiences.js';
import {
  type AuthorizedSnapshot,
  AuthorizedContextReader,
} from '../reading/authorized-context-reader.js';

/** A context, to be read within the limits of the key of the principal. */
type RunReadRequest = Readonly<{ principal: Principal; contextId: string }>;

/** Reads runs for workers, who may see less of a run than the server needs to decide. */
@Injectable()
export class RunReader {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly audiences: Audiences,
  ) {}

  /**
   * Reads items that the server needs to decide, including items that are hidden from the key, within the limits of the
   * key. Items may reach the worker only through the visibility filter.
   */
  readWhole(
    { principal, contextId }: RunReadRequest,
    selection: Selection,
  ): Promise<AuthorizedSnapshot> {
    const unfiltered = { ...principal, audiences: [everything] };
    return this.contexts.read(
      { principal: unfiltered, contextId, audience: everything },
      selection,
    );
  }

  /** The sources of the events of these versions: the facts of an event to which policies refer. */
  async findSources(
    id: ContextId,
    versions: readonly number[],
  ): Promise<ReadonlyMap<number, Source>> {
    const found = new Map<number, Source>();
    for (const version of versions)
      for (const event of await this.contexts.reader.events(id, version, 1))
        found.set(version, sourceOf(event));
    return found;
  }

  /**
   * The visibility filter for a worker with this key: that of the first audience of the key, reading for the agent.
   * Undefined if the key sees everything. Throws ResourceNotFoundError if the audience is not defined.
   */
  async filterFor(
    principal: Principal,
    agent: string | null,
  ): Promise<VisibilityFilter | undefined> {
    const access = await this.audiences.open(readingAs(principal, agent));
    if ('refusal' in access) throw access.refusal;
    return access.filter;
  }
}
