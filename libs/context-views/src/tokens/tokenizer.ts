import cl100kBase from 'js-tiktoken/ranks/cl100k_base';
import o200kBase from 'js-tiktoken/ranks/o200k_base';

import { finish } from '#shared-context';

import { type BytePairRanks, unpackRanks } from './byte-pair-ranks.js';
import { PieceCounter } from './piece-counter.js';
import { preTokens } from './pre-tokens.js';

export const tokenizerNames = ['o200k_base', 'cl100k_base', 'chars4'] as const;

export type TokenizerName = (typeof tokenizerNames)[number];

/**
 * Texts are measured in units, which add up if texts are joined after a newline and before a character that is neither
 * white space nor "/". Units of the encodings are tokens; those of `chars4` are UTF-16 code units, because a quarter is
 * rounded up once, for the whole.
 */
export type Tokenizer = Readonly<{
  name: TokenizerName;
  unitsOf: (text: string) => number;
  /** As `unitsOf`, with a pause after every few milliseconds of work, so that other work can run. */
  unitsInSteps: (text: string) => Generator<void, number>;
  tokensOf: (units: number) => number;
  /** The maximum units of a budget in tokens. */
  budgetUnits: (tokens: number) => number;
  /** The number of tokens that are completely within these units. */
  wholeTokensIn: (units: number) => number;
}>;

type Encoding = keyof typeof preTokens;

const packed: Readonly<Record<Encoding, string>> = {
  o200k_base: o200kBase.bpe_ranks,
  cl100k_base: cl100kBase.bpe_ranks,
};

/** Unpacked ranks never change. */
const unpacked = new Map<Encoding, BytePairRanks>();

/**
 * Each tokenizer caches the words that it has counted. The first one of an encoding unpacks its ranks, which takes
 * about a tenth of a second and 25 MB; importing this file only loads the packed ranks. The text of a special token
 * (`<|endoftext|>`) is text like any other, and a lone surrogate counts as the U+FFFD that it becomes in UTF-8.
 */
export function tokenizerOf(name: TokenizerName): Tokenizer {
  return finish(openTokenizer(name));
}

/** As {@link tokenizerOf}, in small steps, so that other work can run in between. */
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
