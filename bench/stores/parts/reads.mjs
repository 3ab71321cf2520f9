import { openContenders } from '../contenders.mjs';
import { eventSource } from '../events.mjs';

const perAppend = 100;
const long = 1000;

/** (b) A stream of 100 events and one of 1,000, the whole log, and a subscription from its start. */
export async function measureReads(given) {
  const { contenders, close } = await openContenders(given, 'bench_store_reads');
  try {
    const readers = await fillAll(contenders, given);
    const reads = readsOf(given);
    const slots = new Map(
      reads.map(({ name }) => [name, new Map(readers.map((reader) => [reader.name, []]))]),
    );
    for (let round = 0; round <= given.rounds; round++)
      for (const read of reads)
        for (const reader of rotated(readers, round)) {
          const slot = await measureRead(read, reader);
          if (round > 0) slots.get(read.name).get(reader.name).push(slot);
        }
    return slots;
  } finally {
    await close();
  }
}

function readsOf({ logEvents, samples }) {
  return [
    {
      name: `stream of ${perAppend} events`,
      events: perAppend,
      times: samples,
      read: ({ readStream }, n) => readStream(streamOf(1 + (n % 10)), perAppend),
    },
    {
      name: 'stream of 1,000 events',
      events: long,
      times: Math.ceil(samples / 5),
      read: ({ readStream }) => readStream(streamOf(0), long),
    },
    {
      name: 'the whole log',
      events: logEvents,
      times: 1,
      read: ({ readLog, start }) => readLog(start, logEvents),
    },
    {
      name: 'subscription from the start',
      events: logEvents,
      times: 1,
      read: ({ follow, start }) => follow(start, logEvents),
    },
  ];
}

/**
 * One at a time, so that no other contender affects the result. Short reads are separate: they are not representative.
 */
async function measureRead({ events, times, read }, reader) {
  const latencies = [];
  const before = process.cpuUsage();
  const started = performance.now();
  for (let n = 0; n < times; n++) {
    const begun = performance.now();
    const taken = await read(reader, n);
    // The last batch of a subscription may end later.
    if (taken < events) throw new Error(`${reader.name} read ${taken} of ${events} events`);
    latencies.push(performance.now() - begun);
  }
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  const total = events * times;
  return { perSecond: total / seconds, latencies, processor: (user + system) / total };
}

/** The client reads the events that our adapter wrote: the same log, byte for byte. */
async function fillAll(contenders, given) {
  const starts = new Map();
  const readers = contenders.filter(({ onlyAppends }) => !onlyAppends);
  for (const reader of readers)
    if (!reader.reads) starts.set(reader.name, await fill(reader, given));
  return readers.map((reader) => ({ ...reader, start: starts.get(reader.reads ?? reader.name) }));
}

/** Resolves with the position of an event before all events to read. */
async function fill({ append }, { outputs, logEvents }) {
  const nextEvent = eventSource(outputs);
  const start = await append('context-default:before', [nextEvent()], 0);
  let stream = 0;
  for (let left = logEvents; left > 0; stream++) {
    const size = Math.min(stream === 0 ? long : perAppend, left);
    for (let version = 0; version < size; version += perAppend) {
      const events = Array.from({ length: Math.min(perAppend, size - version) }, nextEvent);
      await append(streamOf(stream), events, version);
    }
    left -= size;
  }
  return start;
}

function streamOf(number) {
  return `context-default:read-${number}`;
}

function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
