import { Inject, Injectable } from '@nestjs/common';

import {
  type EventStore,
  type EventToAppend,
  VersionConflictError,
  encodedSize,
  maxAppendBytes,
} from '#event-sourcing';
import { contextStream } from '#shared-context';

import { ConcurrencyExhaustedError } from '../errors.js';
import { EVENT_STORE, WRITER_OPTIONS } from '../tokens.js';
import type { CommandProcessorOptions } from '../writing/command-processor.js';
import { type ImportPlan } from './import-plan.js';

const maxEventsAtOnce = 500;

/** Appends the new events of a context, in as many appends as necessary. */
@Injectable()
export class ImportAppender {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(WRITER_OPTIONS) private readonly options: CommandProcessorOptions,
  ) {}

  /** Returns the version of the context after the import. */
  async append({ id, version, events }: ImportPlan): Promise<number> {
    let at = version;
    for (const batch of batchesOf(events)) {
      await this.#append(contextStream(id), batch, at);
      at += batch.length;
    }
    return at;
  }

  async #append(stream: string, batch: readonly EventToAppend[], at: number): Promise<void> {
    const { appendTimeoutMs: timeoutMs, events } = this.options;
    try {
      await this.store.append(stream, batch, at === 0 ? 'no-stream' : at, { timeoutMs });
      events?.appended?.({ writes: 1, events: batch.length });
    } catch (error) {
      if (error instanceof VersionConflictError)
        throw new ConcurrencyExhaustedError(
          'another writer changed this context during the import: repeat the import',
          { cause: error },
        );
      throw error;
    }
  }
}

function batchesOf(events: readonly EventToAppend[]): EventToAppend[][] {
  const batches: EventToAppend[][] = [];
  let bytes = Infinity;
  for (const event of events) {
    const batch = batches.at(-1);
    bytes += encodedSize(event);
    if (batch && bytes <= maxAppendBytes && batch.length < maxEventsAtOnce) batch.push(event);
    else {
      batches.push([event]);
      bytes = encodedSize(event);
    }
  }
  return batches;
}
