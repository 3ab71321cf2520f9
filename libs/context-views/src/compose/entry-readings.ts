import { Reading } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { sizeOf } from './entry-sizes.js';
import { Recently } from './recently.js';

/** In estimated tokens. */
const largeEntry = 16_384;

/** As long as somebody has the entry, which never changes. */
const readings = new WeakMap<Entry, Reading>();
/** A reading takes a few times what its entry does: of large ones the last are cached. */
const largeReadings = new Recently<Entry, Reading>(2_097_152, sizeOf);

/** What was read of the whole entry. */
export function readingOf(entry: Entry): Reading {
  if (isLarge(entry)) return largeReadings.find(entry, () => Reading.of(entry.value));
  const reading = readings.get(entry) ?? Reading.of(entry.value);
  readings.set(entry, reading);
  return reading;
}

/** As {@link readingOf} of an entry that is read once: only the reading of a large one is cached. */
export function readingOnce(entry: Entry): Reading {
  return isLarge(entry) ? readingOf(entry) : (readings.get(entry) ?? Reading.of(entry.value));
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
export function isLarge(entry: Entry): boolean {
  return sizeOf(entry) > largeEntry;
}
