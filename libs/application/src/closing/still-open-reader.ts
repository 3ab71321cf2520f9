import { Injectable } from '@nestjs/common';

import { refOf } from '#context-views';
import { type Item, openItems, openKinds } from '#shared-context';
import { GatedReader, isShown } from '#visibility';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { type ActivityRequest, ActivityReader } from '../reading/activity-reader.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { type StillOpen } from './close-context.command.js';

/** The most that a closing lists; the others are counted. */
export const mostOpenListed = 100;

/** Reads what is open in a context that was closed, as far as a key sees it. */
@Injectable()
export class StillOpenReader {
  constructor(
    private readonly audiences: Audiences,
    private readonly gated: GatedReader,
    private readonly activities: ActivityReader,
  ) {}

  /** As of the version that the write answers, so that a repeated request is answered the same. */
  async read(principal: Principal, { contextId, version }: WriteAnswer): Promise<StillOpen> {
    const sight = await this.audiences.open(principal);
    // A key without an audience sees nothing.
    if ('refusal' in sight) return { open: [] };
    const { gate } = sight;
    const asked = { id: { workspace: principal.workspace, contextId }, gate, version };
    const items = await this.#openItems(asked);
    const open = openItems(items).filter((item) => !gate || isShown(gate, item));
    const listed = open
      .slice(0, mostOpenListed)
      .map((item) => ({ kind: item.kind, ref: refOf(item) }));
    return open.length > listed.length
      ? { open: listed, openTotal: open.length }
      : { open: listed };
  }

  async #openItems(asked: ActivityRequest): Promise<Iterable<Item>> {
    if (!asked.gate) return this.activities.findOpenItems(asked, openKinds);
    // What an audience sees of an item may depend on its payload.
    return (await this.gated.read(asked, { kinds: openKinds })).state.values();
  }
}
