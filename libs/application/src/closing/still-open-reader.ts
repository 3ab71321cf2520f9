import { Injectable } from '@nestjs/common';

import { refOf } from '#context-views';
import { type Item, openItems, openKinds } from '#shared-context';
import { FilteredReader, isShown } from '#visibility';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { type ActivityRequest, ActivityReader } from '../reading/activity-reader.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { type StillOpen } from './close-context.command.js';

/** The maximum number of items that a closing lists; the others are counted. */
export const maxOpenListed = 100;

/** Reads the open work of a closed context, as far as a key sees it. */
@Injectable()
export class StillOpenReader {
  constructor(
    private readonly audiences: Audiences,
    private readonly filteredReader: FilteredReader,
    private readonly activities: ActivityReader,
  ) {}

  /** Reads at the version of the write, so that a repeated request gets the same answer. */
  async read(principal: Principal, { contextId, version }: WriteAnswer): Promise<StillOpen> {
    const access = await this.audiences.open(principal);
    // A key without an audience sees nothing.
    if ('refusal' in access) return { open: [] };
    const { filter } = access;
    const request = { id: { workspace: principal.workspace, contextId }, filter, version };
    const items = await this.#openItems(request);
    const open = openItems(items).filter((item) => !filter || isShown(filter, item));
    const listed = open
      .slice(0, maxOpenListed)
      .map((item) => ({ kind: item.kind, ref: refOf(item) }));
    return open.length > listed.length
      ? { open: listed, openTotal: open.length }
      : { open: listed };
  }

  async #openItems(request: ActivityRequest): Promise<Iterable<Item>> {
    if (!request.filter) return this.activities.findOpenItems(request, openKinds);
    // For an audience, the visibility of an item may depend on its payload.
    return (await this.filteredReader.read(request, { kinds: openKinds })).state.values();
  }
}
