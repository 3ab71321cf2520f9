import { Inject, Injectable, type Provider } from '@nestjs/common';

import { type EventStore } from '#event-sourcing';
import { ContextReader } from '#read-models';

import { WriteGrowth } from '../reading/is-large-context.handler.js';
import { EVENT_STORE, WRITER_OPTIONS } from '../tokens.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { CommandProcessor, type CommandProcessorOptions } from './command-processor.js';
import { OwnWrites } from './own-writes.js';

/** The dependencies of the command processor other than its ports. */
@Injectable()
class CommandProcessorDependencies {
  constructor(
    @Inject(WRITER_OPTIONS) readonly options: CommandProcessorOptions,
    readonly growth: WriteGrowth,
    readonly writes: OwnWrites,
  ) {
    writes.listen(growth.note.bind(growth));
  }
}

const provider: Provider = {
  provide: CommandProcessor,
  useFactory: (
    store: EventStore,
    reader: ContextReader,
    transformations: TransformationStore,
    { options, writes }: CommandProcessorDependencies,
  ) => {
    const events = { ...options.events, stored: writes.report.bind(writes) };
    return new CommandProcessor(store, reader, transformations, { ...options, events });
  },
  inject: [EVENT_STORE, ContextReader, TransformationStore, CommandProcessorDependencies],
};

/** The one command processor of a process, and the listeners to its writes. */
export const commandProcessorProviders = [provider, CommandProcessorDependencies, OwnWrites];
