import { Inject, Injectable } from '@nestjs/common';

import { viewKinds } from '#context-views';
import { type EventStore } from '#event-sourcing';
import { contextStream, decodeEvent } from '#read-models';
import { type Item, isSweeping, touchedKeys } from '#shared-context';

import { GatedReader } from '../audiences/gated-reader.js';
import { EVENT_STORE } from '../tokens.js';
import { type ViewSite } from './view-sources.js';

/** What a context was one version earlier, from what it is: only what the newest event touched is read again. */
@Injectable()
export class PreviousVersion {
  constructor(
    private readonly gated: GatedReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Undefined where there was none. `items`: those of {@link viewKinds} at the version of the site. */
  async find(
    { id, version, gate }: ViewSite,
    items: readonly Item[],
  ): Promise<readonly Item[] | undefined> {
    if (version <= 1) return undefined;
    const [stored] = await this.store.readStream(contextStream(id), { from: version, limit: 1 });
    if (!stored) return undefined;
    const event = decodeEvent(stored);
    const before = { id, version: version - 1, gate };
    if (isSweeping(event)) {
      const { state } = await this.gated.read(before, { kinds: viewKinds });
      return [...state.values()];
    }
    const keys = touchedKeys(event).filter(({ kind }) => viewKinds.includes(kind));
    if (keys.length === 0) return items;
    const { state } = await this.gated.read(before, { keys, bodies: true });
    const touched = new Set(keys.map(({ kind, key }) => `${kind} ${key}`));
    return [
      ...items.filter(({ kind, key }) => !touched.has(`${kind} ${key}`)),
      ...[...state.values()].filter(({ kind, key }) => touched.has(`${kind} ${key}`)),
    ];
  }
}
