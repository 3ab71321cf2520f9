import cl100kBase from 'js-tiktoken/ranks/cl100k_base';
import o200kBase from 'js-tiktoken/ranks/o200k_base';

import { finish } from '#shared-context';

import { type BytePairRanks, unpackRanks } from './byte-pair-ranks.js';
import { PieceCounter } from './piece-counter.js';
import { preTokens } from './pre-tokens.js';

export const tokenizerNames = ['o200k_base', 'cl100k_base', 'chars4'] as const;

export type TokenizerName = (typeof tokenizerNames)[number];

/**
 * Texts are measured in units, which add up where texts are joined: after a newline, before a character that is
 * neither white space nor "/". Units of the encodings are their tokens; those of `chars4` are UTF-16 code units, as
 * the rounding up of a quarter happens once, over all.
 */
export type Tokenizer = Readonly<{
  name: TokenizerName;
  unitsOf: (text: string) => number;
  /** The same with a pause behind every few milliseconds of work, in which others may go on. */
  unitsInSteps: (text: string) => Generator<void, number>;
  tokensOf: (units: number) => number;
  /** The most units that a budget of tokens holds. */
  budgetUnits: (tokens: number) => number;
  /** The most tokens of which none has units beyond these. */
  wholeTokensIn: (units: number) => number;
}>;

type Encoding = keyof typeof preTokens;

const packed: Readonly<Record<Encoding, string>> = {
  o200k_base: o200kBase.bpe_ranks,
  cl100k_base: cl100kBase.bpe_ranks,
};

/** Ranks never change once they are unpacked. */
const unpacked = new Map<Encoding, BytePairRanks>();

/**
 * Each has a memory of its own for the words that it has counted. The first one of an encoding unpacks its ranks, which takes a
 * tenth of a second or so and some 25 MB; importing this file only loads them packed. What looks like a special token
 * (`<|endoftext|>`) is text like any other, and a lone surrogate counts as U+FFFD, which it becomes in UTF-8.
 */
export function tokenizerOf(name: TokenizerName): Tokenizer {
  return finish(openTokenizer(name));
}

/** The same in small steps, between which others may go on. */
export function* openTokenizer(name: TokenizerName): Generator<void, Tokenizer> {
  if (name === 'chars4') return quarters();
  const ranks = unpacked.get(name) ?? (yield* unpackRanks(packed[name]));
  unpacked.set(name, ranks);
  return encoding(name, ranks);
}

function quarters(): Tokenizer {
  return {
    name: 'chars4',
    unitsOf: (text) => text.length,
    *unitsInSteps(text) {
      return text.length;
    },
    tokensOf: (units) => Math.ceil(units / 4),
    budgetUnits: (tokens) => tokens * 4,
    wholeTokensIn: (units) => Math.floor(units / 4),
  };
}

function encoding(name: Encoding, ranks: BytePairRanks): Tokenizer {
  const pieces = new PieceCounter(ranks);
  return {
    name,
    unitsOf: (text) => countTokens(text, preTokens[name], pieces),
    unitsInSteps: (text) => countInSteps(text, preTokens[name], pieces),
    tokensOf: (units) => units,
    budgetUnits: (tokens) => tokens,
    wholeTokensIn: (units) => units,
  };
}

/** UTF-16 code units. */
const maxAtOnce = 32_768;

function* countInSteps(text: string, cut: RegExp, pieces: PieceCounter): Generator<void, number> {
  let tokens = 0;
  let paused = 0;
  for (const { 0: piece, index } of text.matchAll(cut)) {
    tokens += yield* pieces.countInSteps(piece);
    if (index - paused < maxAtOnce) continue;
    paused = index;
    yield;
  }
  return tokens;
}

function countTokens(text: string, cut: RegExp, pieces: PieceCounter): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(cut)) tokens += pieces.count(piece);
  return tokens;
}
