import { type BytePairRanks } from './byte-pair-ranks.js';
import { countBytePairs, countBytePairsInSteps } from './byte-pairs.js';

const maxSources = 32_768;
const longestCached = 64;
const longestAtOnce = 4_096;
const utf8 = new TextEncoder();
const bytesAtOnce = 8_192;
const ascii = /^[\0-\x7f]*$/;

/** Counts the tokens of pieces. Words recur, so the counts of merged pieces are cached, in bounds. */
export class PieceCounter {
  private readonly counts = new Map<string, number>();

  constructor(private readonly known: BytePairRanks) {}

  count(piece: string): number {
    const known = this.counts.get(piece);
    if (known !== undefined) return known;
    const tokens = countBytePairs(ascii.test(piece) ? piece : bytesOf(piece), this.known);
    if (tokens > 1 && piece.length <= longestCached) this.store(piece, tokens);
    return tokens;
  }

  /** As {@link count}, in steps if the piece is long. */
  *countInSteps(piece: string): Generator<void, number> {
    if (piece.length <= longestAtOnce) return this.count(piece);
    // Finding the end of the piece has taken some time already.
    yield;
    const bytes = ascii.test(piece) ? piece : bytesOf(piece);
    return yield* countBytePairsInSteps(bytes, this.known);
  }

  private store(piece: string, tokens: number): void {
    if (this.counts.size >= maxSources) this.counts.clear();
    this.counts.set(piece, tokens);
  }
}

/** One character for each byte. */
function bytesOf(piece: string): string {
  const bytes = utf8.encode(piece);
  let text = '';
  for (let at = 0; at < bytes.length; at += bytesAtOnce)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + bytesAtOnce));
  return text;
}
