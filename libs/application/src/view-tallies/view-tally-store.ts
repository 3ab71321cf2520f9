import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Kysely } from 'kysely';

import {
  type Entry,
  type CurrentStateSection,
  type Tokenizer,
  type ViewSource,
  decisionText,
  entriesWithin,
  parseTally,
  prepareTimeline,
  wholeText,
} from '#context-views';
import { type Database } from '#database';
import { findGroupTallies, findTextCounts, sha256 } from '#read-models';
import { type ContextId } from '#shared-context';
import { Slice, runInSlices } from '#slices';

import { VIEW_TALLY_EVENTS, DATABASE } from '../tokens.js';
import { unitsOf } from '../token-counting/units-of.js';
import { hashOfBlock } from './block-hash.js';
import { type TextCount, RowWriter, maxCounts } from './row-writer.js';

export type ViewTallyEvents = Readonly<{
  /** A row could not be read or written. Nothing is lost: the next reader computes it again. */
  failed: (error: unknown) => void;
}>;

type Timeline = ViewSource['timeline'];
type Budget = Readonly<{ tokenizer: Tokenizer; maxTokens: number }>;

/** For a context of fewer estimated tokens, counting takes less time than reading the stored counts. */
const minRead = 4_096;
/**
 * Minimum length in characters of a text whose count is stored: counting a shorter one is faster than reading its
 * count.
 */
const minStored = 256;
/** Minimum length of a text outside the timeline that is counted before a view needs it. */
const largePart = 4_096;
/** Minimum size, in estimated tokens, of live decisions whose shorter forms are counted as well. */
const largeDecision = 16_384;
/** The number of blocks, of tens of thousands of characters each, that are looked up at once. */
const maxHashed = 64;
/** How long a stopping process waits for rows that are not written yet. */
const patienceMs = 1_000;
/**
 * A cache in the database (`context-summary` in ADR 32): tallies and token counts of views, not summaries by a model. The first process that needs a row computes it and stores it under the hash of its input.
 * So rows are never out of date, and a rebuild does not delete them; without them, views only take longer.
 */
@Injectable()
export class ViewTallyStore implements OnModuleDestroy {
  readonly #rows: RowWriter;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(VIEW_TALLY_EVENTS) private readonly events: ViewTallyEvents,
  ) {
    this.#rows = new RowWriter(db, (error) => events.failed(error));
  }

  /** Loads the stored rows of a timeline before its first view in this process. */
  async load(id: ContextId, timeline: Timeline, budget: Budget): Promise<void> {
    if (timeline.size < minRead) return;
    try {
      await this.#loadCounts(id, timeline, budget);
      // A context that fits unshortened needs no tallies.
      if (timeline.size > budget.maxTokens) await this.#loadTallies(id, timeline);
    } catch (error) {
      this.events.failed(error);
    }
  }

  /**
   * Reads and tallies, in slices, the entries that a view may shorten or roll up, so that other requests need not wait.
   */
  async prepare(sources: readonly ViewSource[], { maxTokens }: Budget): Promise<void> {
    for (const { timeline } of sources) await runInSlices(prepareTimeline(timeline, maxTokens));
  }

  /** Counts, in slices, the texts that a view may show, so that other requests need not wait. */
  async count(id: ContextId, sources: readonly ViewSource[], budget: Budget): Promise<void> {
    const { tokenizer, maxTokens } = budget;
    if (tokenizer.name === 'chars4') return;
    const counted: TextCount[] = [];
    const slice = new Slice();
    for (const source of sources)
      for (const { of, form, text } of textsOf(source, maxTokens)) {
        if (slice.isOver) await slice.pause();
        if (of.texts.hasUnits(tokenizer, form)) continue;
        const shown = text();
        const units = await unitsOf(tokenizer, shown);
        of.texts.learnUnits(tokenizer, form, units);
        if (shown.length >= minStored) counted.push({ tokenizer, hash: sha256(shown), units });
      }
    this.#rows.add(id, [], counted);
  }

  /** Stores the tallies that a view had to compute, without delaying its answer. */
  store(id: ContextId, timelines: readonly Timeline[]): void {
    const blocks = timelines.flatMap(({ groups }) => groups.takeFresh());
    this.#rows.add(id, blocks, []);
  }

  /** Resolves once all rows added so far are written or have failed. */
  settled(): Promise<void> {
    return this.#rows.settled();
  }

  async onModuleDestroy(): Promise<void> {
    const patience = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => patience.resolve(undefined), patienceMs);
    await this.stop(patience.promise);
    clearTimeout(timer);
  }

  stop(patience: Promise<unknown>): Promise<void> {
    return this.#rows.stop(patience);
  }

  async #loadTallies(id: ContextId, timeline: Timeline): Promise<void> {
    const unknown = timeline.groups.untallied();
    for (let from = 0; from < unknown.length; from += maxHashed) {
      const blocks = new Map(
        unknown.slice(from, from + maxHashed).map((block) => [hashOfBlock(block), block]),
      );
      for (const { hash, covers, tally } of await findGroupTallies(this.db, id, [
        ...blocks.keys(),
      ])) {
        const block = blocks.get(hash);
        if (block) timeline.groups.learn(block, { covers, tally: parseTally(tally) });
      }
    }
  }

  async #loadCounts(
    { workspace }: ContextId,
    timeline: Timeline,
    { tokenizer, maxTokens }: Budget,
  ): Promise<void> {
    if (tokenizer.name === 'chars4') return;
    const entries = uncountedIn(timeline, maxTokens, tokenizer);
    if (entries.size === 0) return;
    const counted = { workspace, tokenizer: tokenizer.name };
    for (const { hash, units } of await findTextCounts(this.db, counted, [...entries.keys()]))
      entries.get(hash)?.texts.learnUnits(tokenizer, 'whole', units);
  }
}

/** Entries whose counts are worth looking up, by the hashes of their texts. */
function uncountedIn(
  timeline: Timeline,
  maxTokens: number,
  tokenizer: Tokenizer,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const entry of entriesWithin(timeline, maxTokens)) {
    if (entries.size >= maxCounts) break;
    if (entry.texts.hasUnits(tokenizer, 'whole')) continue;
    const text = wholeText(entry);
    if (text.length >= minStored) entries.set(sha256(text), entry);
  }
  return entries;
}

/** `text`: computed on demand, because all texts together may not fit into memory. */
type CountedText = Readonly<{ of: Entry | CurrentStateSection; form: string; text: () => string }>;

/** The texts of a source that are counted before a view needs them. */
function* textsOf(
  { timeline, currentState }: ViewSource,
  maxTokens: number,
): Generator<CountedText> {
  for (const entry of entriesWithin(timeline, maxTokens)) {
    yield { of: entry, form: 'whole', text: () => wholeText(entry) };
    if (!entry.pinned || entry.kind !== 'decision' || entry.size < largeDecision) continue;
    for (const form of ['brief', 'bare'] as const)
      yield { of: entry, form, text: () => decisionText(entry, form) };
  }
  for (const part of currentState)
    if (part.length > largePart) yield { of: part, form: 'whole', text: () => part.whole };
}
