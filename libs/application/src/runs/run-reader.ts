import { Injectable } from '@nestjs/common';

import { type Gate, everything } from '#context-views';
import { type ContextId, type Selection } from '#read-models';
import { type Source, sourceOf } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { readingAs } from '../access/reading-as.js';
import { Audiences } from '../audiences/audiences.js';
import { type ReachableSnapshot, ReachableContext } from '../reading/reachable-context.js';

/** Which context, within the limits of whose key. */
type ReachedContext = Readonly<{ principal: Principal; contextId: string }>;

/** Reads runs for workers, who may see less than what is decided with. */
@Injectable()
export class RunReader {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly audiences: Audiences,
  ) {}

  /**
   * What the server decides with, whatever the key may see of it; the key's limits hold. Nothing of it may reach the worker unless it has
   * passed the gate.
   */
  readWhole(
    { principal, contextId }: ReachedContext,
    selection: Selection,
  ): Promise<ReachableSnapshot> {
    const whole = { ...principal, audiences: [everything] };
    return this.contexts.read({ principal: whole, contextId, audience: everything }, selection);
  }

  /** What policies go by of the events of these versions. */
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
   * What a worker with this key is given passes this gate: that of the first audience of the key, reading for the agent. Undefined
   * if the key sees everything. Throws ResourceNotFoundError if nobody has defined the audience.
   */
  async gateFor(principal: Principal, agent: string | null): Promise<Gate | undefined> {
    const sight = await this.audiences.open(readingAs(principal, agent));
    if ('refusal' in sight) throw sight.refusal;
    return sight.gate;
  }
}
