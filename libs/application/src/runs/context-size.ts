import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type TokenizerName } from '#context-views';
import { type JsonObject, utf8Length } from '#event-sourcing';
import { runInSlices } from '#slices';

import { openedTokenizer } from '../token-counting/opened-tokenizer.js';

/** Limit of the cached texts, in UTF-16 code units. */
const maxCached = 8_388_608;

/** Measures the contexts of workers in tokens. */
@Injectable()
export class ContextSize {
  /** Units of members, by tokenizer and text: most members of a context are the same as for the previous attempt. */
  readonly #units = new LRUCache<string, number>({
    maxSize: maxCached,
    sizeCalculation: (_units, text) => text.length,
  });

  /** Whether the context has more than `tokens` tokens, with each member on its own line. */
  async exceeds(context: JsonObject, tokens: number, name: TokenizerName): Promise<boolean> {
    const members = Object.entries(context).map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}\n`,
    );
    // Every token has at least one byte.
    if (members.reduce((sum, text) => sum + utf8Length(text), 0) <= tokens) return false;
    const tokenizer = await openedTokenizer(name);
    const budget = tokenizer.budgetUnits(tokens);
    let units = 0;
    for (const text of members) {
      const key = `${name} ${text}`;
      const counted = this.#units.get(key) ?? (await runInSlices(tokenizer.unitsInSteps(text)));
      this.#units.set(key, counted);
      units += counted;
      if (units > budget) return true;
    }
    return false;
  }
}
