import { createHash } from 'node:crypto';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Kysely } from 'kysely';

import {
  type Block,
  type Entry,
  type GroupTally,
  type StandingPart,
  type TalliedBlock,
  type Tally,
  type Tokenizer,
  type ViewSource,
  blockTexts,
  decisionTexts,
  entriesWithin,
  prepareTimeline,
  wholeText,
} from '#context-views';
import { type Database } from '#database';
import {
  type ContextId,
  findGroupTallies,
  findTextCounts,
  keepGroupTallies,
  keepTextCounts,
} from '#read-models';
import { Slice, runInSlices } from '#slices';

import { CONTEXT_SUMMARY_EVENTS, DATABASE } from '../tokens.js';
import { unitsOf } from './units-of.js';
import { type Counted, ViewMemo, hashOfNamed, textName } from './view-memo.js';

export type ContextSummaryEvents = Readonly<{
  /** Nothing is lost: what could not be read or kept is made again by whoever needs it. */
  failed: (error: unknown) => void;
}>;

type Timeline = ViewSource['timeline'];
type Budget = Readonly<{ tokenizer: Tokenizer; maxTokens: number }>;

/** A context of fewer estimated tokens is counted sooner than its counts are read. */
const leastRead = 4_096;
/** Of something that holds now, what is worth counting before. */
const largePart = 4_096;
/** In estimated tokens, of a live decision whose shorter forms are. */
const largeDecision = 16_384;
/** How many blocks, of some ten thousand characters each, are looked up at once. */
const mostHashed = 64;
/** How many counts are asked for at once, and written. */
const mostCounts = 4_096;
/** How many tallies, of some thousand characters each, are written at once. */
const mostWritten = 256;
/** How long the end of the process waits for what is still to be written. */
const patienceMs = 1_000;
/** As many rows wait to be written while the database is slow; what comes then is made again by others. */
const mostWaiting = 4_096;
/** Raise it when the same entries make another tally than before. */
const tallyVersion = 1;

/**
 * The projection `context-summary`: what views are made of beside the items, each made once, whichever process and
 * audience first needs it. Everything is kept by the hash of what it was made from, so nothing is ever out of date, a
 * rebuild leaves it as it is, and without it views only take longer.
 */
@Injectable()
export class ContextSummary implements OnModuleDestroy {
  readonly memo = new ViewMemo();
  #writing: Promise<void> = Promise.resolve();
  /** Entries and parts whose counts were looked at. */
  readonly #seen = new WeakMap<Tokenizer, WeakSet<Entry | StandingPart>>();
  #waiting = 0;
  #isStopping = false;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(CONTEXT_SUMMARY_EVENTS) private readonly events: ContextSummaryEvents,
  ) {}

  /** Before the first view of a timeline that was read anew: what is known of it. */
  async learn(id: ContextId, timeline: Timeline, budget: Budget): Promise<void> {
    const estimated = timeline.sizes.reduce((sum, size) => sum + size, 0);
    if (estimated < leastRead) return;
    try {
      await this.#learnCounts(id, timeline, budget);
      // What fits as it is rolls nothing up.
      if (estimated > budget.maxTokens) await this.#learnTallies(id, timeline);
    } catch (error) {
      this.events.failed(error);
    }
  }

  /** Before a view: reads and tallies what it may shorten or roll up, so that others need not wait for it. */
  async prepare(sources: readonly ViewSource[], { maxTokens }: Budget): Promise<void> {
    for (const { timeline } of sources) await runInSlices(prepareTimeline(timeline, maxTokens));
  }

  /** Before a view: counts what it may tell of by itself, so that others need not wait for it. */
  async count(id: ContextId, sources: readonly ViewSource[], budget: Budget): Promise<void> {
    const { tokenizer, maxTokens } = budget;
    if (tokenizer.name === 'chars4') return;
    const seen = this.#seen.get(tokenizer) ?? new WeakSet();
    this.#seen.set(tokenizer, seen);
    const entries = sources
      .flatMap(({ timeline }) => entriesWithin(timeline, maxTokens))
      .filter((entry) => !seen.has(entry));
    const parts = sources.flatMap(({ standing }) => standing.filter((part) => !seen.has(part)));
    const counted: Counted[] = [];
    const slice = new Slice();
    for (const text of textsOf(entries, parts)) {
      if (slice.isOver) await slice.pause();
      if (!this.memo.lacks(tokenizer, text)) continue;
      const units = await unitsOf(tokenizer, text);
      const known = { tokenizer, text: textName(text), units };
      this.memo.learn(known);
      counted.push(known);
    }
    for (const each of [...entries, ...parts]) seen.add(each);
    this.#writeBehind(id, [], counted);
  }

  /** Behind a view: what had to be made for it is kept for the next process, without anybody waiting for that. */
  keep(id: ContextId, timelines: readonly Timeline[]): void {
    const blocks = timelines.flatMap(({ groups }) => groups.takeFresh());
    this.#writeBehind(id, blocks, this.memo.takeCounted());
  }

  /** Once everything made so far is kept, or could not be. */
  settled(): Promise<void> {
    return this.#writing;
  }

  async onModuleDestroy(): Promise<void> {
    const patience = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => patience.resolve(undefined), patienceMs);
    await this.stop(patience.promise);
    clearTimeout(timer);
  }

  /** What has not begun when the patience ends is given up: others make it again. */
  async stop(patience: Promise<unknown>): Promise<void> {
    await Promise.race([this.#writing, patience]);
    this.#isStopping = true;
    await this.#writing;
  }

  #writeBehind(id: ContextId, blocks: readonly TalliedBlock[], counted: readonly Counted[]): void {
    const rows = blocks.length + counted.length;
    if (rows === 0 || (this.#waiting > 0 && this.#waiting + rows > mostWaiting)) return;
    this.#waiting += rows;
    this.#writing = this.#writing.then(async () => {
      if (!this.#isStopping) await this.#write(id, blocks, counted);
      this.#waiting -= rows;
    });
  }

  async #learnTallies(id: ContextId, timeline: Timeline): Promise<void> {
    const unknown = timeline.blocks().filter((block) => !timeline.groups.knows(block));
    for (let from = 0; from < unknown.length; from += mostHashed) {
      const blocks = new Map(
        unknown.slice(from, from + mostHashed).map((block) => [hashOfBlock(block), block]),
      );
      for (const { hash, covers, tally } of await findGroupTallies(this.db, id, [
        ...blocks.keys(),
      ])) {
        const block = blocks.get(hash);
        // The JSON of a tally that this class has written.
        if (block) timeline.groups.learn(block, { covers, tally: JSON.parse(tally) as Tally });
      }
    }
  }

  async #learnCounts(
    { workspace }: ContextId,
    timeline: Timeline,
    { tokenizer, maxTokens }: Budget,
  ): Promise<void> {
    if (tokenizer.name === 'chars4') return;
    const texts = new Map<string, string>();
    for (const entry of entriesWithin(timeline, maxTokens)) {
      if (texts.size >= mostCounts) break;
      const text = wholeText(entry);
      if (!this.memo.lacks(tokenizer, text)) continue;
      const name = textName(text);
      texts.set(hashOfNamed(name), name);
    }
    if (texts.size === 0) return;
    const counted = { workspace, tokenizer: tokenizer.name };
    for (const { hash, units } of await findTextCounts(this.db, counted, [...texts.keys()])) {
      const text = texts.get(hash);
      if (text !== undefined) this.memo.learn({ tokenizer, text, units });
    }
  }

  async #write(
    id: ContextId,
    blocks: readonly TalliedBlock[],
    counted: readonly Counted[],
  ): Promise<void> {
    try {
      for (let at = 0; at < blocks.length; at += mostWritten)
        await keepGroupTallies(this.db, id, blocks.slice(at, at + mostWritten).map(storedTally));
      for (const [tokenizer, counts] of Map.groupBy(counted, (each) => each.tokenizer.name)) {
        if (tokenizer === 'chars4') continue;
        const stored = counts.map(({ text, units }) => ({ hash: hashOfNamed(text), units }));
        for (let at = 0; at < stored.length; at += mostCounts) {
          const counted = { workspace: id.workspace, tokenizer };
          await keepTextCounts(this.db, counted, stored.slice(at, at + mostCounts));
        }
      }
    } catch (error) {
      this.events.failed(error);
    }
  }
}

function storedTally({ tally, covers, ...block }: Block & GroupTally) {
  return { hash: hashOfBlock(block), covers, tally: JSON.stringify(tally) };
}

function hashOfBlock(block: Block): string {
  const hash = createHash('sha256').update(`${tallyVersion} `);
  for (const text of blockTexts(block)) hash.update(text);
  return hash.digest('hex');
}

/** One after the other, as all of them may not fit into memory at once. */
function* textsOf(entries: readonly Entry[], parts: readonly StandingPart[]): Generator<string> {
  for (const entry of entries) yield wholeText(entry);
  for (const { whole } of parts) if (whole.length > largePart) yield whole;
  for (const text of decisionTexts(entries, largeDecision)) if (text.length > largePart) yield text;
}
