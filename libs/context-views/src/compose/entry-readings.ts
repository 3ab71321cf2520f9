import { type Facts, Reading, factsIn } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { sizeOf } from './entry-sizes.js';
import { Recently } from './recently.js';

/** In estimated tokens. */
const largeEntry = 16_384;

/** Readings of small entries, which never change, cached while the entry is in use. */
const readings = new WeakMap<Entry, Reading>();
/** A reading takes a few times the memory of its entry, so only the latest readings of large entries are cached. */
const largeReadings = new Recently<Entry, Reading>(2_097_152, sizeOf);

/** What was read of the whole entry. */
export function readingOf(entry: Entry): Reading {
  if (isLarge(entry)) return largeReadings.find(entry, () => Reading.of(entry.value));
  const reading = readings.get(entry) ?? Reading.of(entry.value);
  readings.set(entry, reading);
  return reading;
}

/** The facts of large entries: they take much less memory than readings. */
const largeFacts = new WeakMap<Entry, Facts>();

/** Returns the facts of an entry; reads it in steps if they are not cached. */
export function* factsOfEntry(entry: Entry): Generator<void, Facts> {
  if (!isLarge(entry)) return factsIn(readings.get(entry) ?? (yield* Reading.inSteps(entry.value)));
  const known = largeFacts.get(entry);
  if (known) return known;
  yield* prepareReading(entry);
  const facts = copyOf(factsIn(readingOf(entry)));
  largeFacts.set(entry, facts);
  return facts;
}

/** Facts may be parts of the text in which they are found, and would keep all of it in memory. */
function copyOf(facts: Facts): Facts {
  return JSON.parse(JSON.stringify(facts)) as Facts;
}

/** Reads an entry in steps, so that {@link readingOf} finds its reading cached. */
export function* prepareReading(entry: Entry): Generator<void, void> {
  const isKnown = isLarge(entry) ? largeReadings.has(entry) : readings.has(entry);
  if (isKnown) return;
  const reading = yield* Reading.inSteps(entry.value);
  if (isLarge(entry)) largeReadings.find(entry, () => reading);
  else readings.set(entry, reading);
}

/** Whether the reading of an entry takes time of its own. */
function isLarge(entry: Entry): boolean {
  return sizeOf(entry) > largeEntry;
}
