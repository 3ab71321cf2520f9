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

/** Which context, within the limits of whose key. */
type ReachedContext = Readonly<{ principal: Principal; contextId: string }>;

/** Reads runs for workers, which may see less of a run than the server needs to decide. */
@Injectable()
export class RunReader {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly audiences: Audiences,
  ) {}

  /**
   * Reads all that the server needs to decide, also what the key may not see, within the limits of the key. Only what has passed the visibility filter
   * may reach the worker.
   */
  readWhole(
    { principal, contextId }: ReachedContext,
    selection: Selection,
  ): Promise<AuthorizedSnapshot> {
    const whole = { ...principal, audiences: [everything] };
    return this.contexts.read({ principal: whole, contextId, audience: everything }, selection);
  }

  /** The members of the events of these versions that policies refer to. */
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
   * The visibility filter for what a worker with this key is given: that of the first audience of the key, reading for the agent. Undefined if the
   * key sees everything. Throws ResourceNotFoundError if the audience is not defined.
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
