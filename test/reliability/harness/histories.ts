import { type EventStore } from '#event-sourcing';
import { HistoryWriter, did } from '#testing';

import { type HistoryRecorder } from './history-recorder.js';

type Appender = Pick<EventStore, 'append'>;

/** Wraps the store and records its acknowledgments. */
export function recorded(store: Appender, recorder: HistoryRecorder, client: string): Appender {
  return {
    append: async (stream, events, expected, options) => {
      const inv = recorder.now();
      const result = await store.append(stream, events, expected, options);
      recorder.add({
        kind: 'append',
        client,
        stream,
        inv,
        ret: recorder.now(),
        count: events.length,
        outcome: 'ok',
        version: result.version,
        eventIds: events.map(({ eventId }) => eventId),
      });
      return result;
    },
  };
}

/** Contexts to which step outputs are appended without a server, as fast as the store permits. */
export class GrowingContexts {
  readonly #writer: HistoryWriter;
  readonly #sizes: number[];
  #turn = 0;

  constructor(
    { store, recorder }: Readonly<{ store: Appender; recorder: HistoryRecorder }>,
    private readonly count: number,
  ) {
    this.#writer = new HistoryWriter(recorded(store, recorder, 'grower'));
    this.#sizes = Array.from({ length: count }, () => 0);
  }

  id(n: number): string {
    return `g-${n}`;
  }

  /** Appends this number of events, several per append, to all contexts in turn. */
  async grow(events: number, perAppend = 10): Promise<void> {
    for (let left = events; left > 0; left -= perAppend) {
      const n = this.#turn++ % this.count;
      const size = this.#sizes[n] ?? 0;
      const added = Array.from({ length: Math.min(left, perAppend) }, (_, at) =>
        size + at === 0
          ? did('ContextCreated', { title: `Number ${n}` })
          : did('StepOutputAdded', {
              stepId: `s-${(size + at) % 7}`,
              output: { n, at: size + at },
            }),
      );
      await this.#writer.append(this.id(n), ...added);
      this.#sizes[n] = size + added.length;
    }
  }
}
