import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Kysely } from 'kysely';

import {
  type Block,
  type GroupTally,
  type TalliedBlock,
  type Tally,
  type Tokenizer,
  type ViewSource,
  blockText,
  entriesWithin,
  textParts,
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

import { CONTEXT_SUMMARY_EVENTS, DATABASE } from '../tokens.js';
import { type Counted, ViewMemo } from './view-memo.js';

export type ContextSummaryEvents = Readonly<{
  /** Nothing is lost: what could not be kept is made again by the next process that needs it. */
  notKept: (error: unknown) => void;
}>;

type Timeline = ViewSource['timeline'];
type Budget = Readonly<{ tokenizer: Tokenizer; maxTokens: number }>;

/** A context of fewer estimated tokens is counted sooner than its counts are read. */
const leastRead = 4_096;
/** UTF-16 code units of a text that are counted in one go, which takes some ten milliseconds. */
const longestAtOnce = 65_536;
/** How many counts are asked for at once. */
const mostCounts = 4_096;
/** How many tallies, of some thousand characters each, are written at once. */
const mostWritten = 256;
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

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(CONTEXT_SUMMARY_EVENTS) private readonly events: ContextSummaryEvents,
  ) {}

  /** Before the first view of a timeline that was read anew: what is known of it. */
  async learn(id: ContextId, timeline: Timeline, budget: Budget): Promise<void> {
    const estimated = timeline.sizes.reduce((sum, size) => sum + size, 0);
    if (estimated < leastRead) return;
    await this.#learnCounts(id, timeline, budget);
    // What fits as it is rolls nothing up.
    if (estimated > budget.maxTokens) await this.#learnTallies(id, timeline);
  }

  /** Before a view: counts what is so large that others would have to wait for it, a part at a time. */
  async countLarge(
    id: ContextId,
    timeline: Timeline,
    { tokenizer, maxTokens }: Budget,
  ): Promise<void> {
    const large = entriesWithin(timeline, maxTokens, longestAtOnce).map(wholeText);
    const counted: Counted[] = [];
    for (const text of large.filter((each) => this.memo.lacks(tokenizer, each))) {
      let units = 0;
      for (const part of textParts(text, longestAtOnce)) {
        units += tokenizer.unitsOf(part);
        await setImmediate();
      }
      this.memo.learn({ tokenizer, text, units });
      counted.push({ tokenizer, text, units });
    }
    this.#writeBehind(id, [], counted);
  }

  /** Behind a view: what had to be made for it is kept for the next process, without anybody waiting for that. */
  keep(id: ContextId, timelines: readonly Timeline[]): void {
    const blocks = timelines.flatMap(({ groups }) => groups.takeFresh());
    this.#writeBehind(id, blocks, this.memo.takeCounted());
  }

  onModuleDestroy(): Promise<void> {
    return this.#writing;
  }

  #writeBehind(id: ContextId, blocks: readonly TalliedBlock[], counted: readonly Counted[]): void {
    if (blocks.length === 0 && counted.length === 0) return;
    this.#writing = this.#writing.then(() => this.#write(id, blocks, counted));
  }

  async #learnTallies(id: ContextId, timeline: Timeline): Promise<void> {
    const blocks = new Map(
      timeline
        .blocks()
        .filter((block) => !timeline.groups.knows(block))
        .map((block) => [hashOfBlock(block), block]),
    );
    if (blocks.size === 0) return;
    for (const { hash, covers, tally } of await findGroupTallies(this.db, id, [...blocks.keys()])) {
      const block = blocks.get(hash);
      // The JSON of a tally that this class has written.
      if (block) timeline.groups.learn(block, { covers, tally: JSON.parse(tally) as Tally });
    }
  }

  async #learnCounts(
    { workspace }: ContextId,
    timeline: Timeline,
    { tokenizer, maxTokens }: Budget,
  ): Promise<void> {
    if (tokenizer.name === 'chars4') return;
    const texts = new Map(
      entriesWithin(timeline, maxTokens)
        .map(wholeText)
        .filter((text) => this.memo.lacks(tokenizer, text))
        .slice(0, mostCounts)
        .map((text) => [hashOf(text), text]),
    );
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
        const stored = counts.map(({ text, units }) => ({ hash: hashOf(text), units }));
        await keepTextCounts(this.db, { workspace: id.workspace, tokenizer }, stored);
      }
    } catch (error) {
      this.events.notKept(error);
    }
  }
}

function storedTally({ tally, covers, ...block }: Block & GroupTally) {
  return { hash: hashOfBlock(block), covers, tally: JSON.stringify(tally) };
}

function hashOfBlock(block: Block): string {
  return hashOf(`${tallyVersion} ${blockText(block)}`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
