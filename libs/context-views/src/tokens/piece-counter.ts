import { type BytePairRanks } from './byte-pair-ranks.js';
import { countBytePairs, countBytePairsInSteps } from './byte-pairs.js';

const maxSources = 32_768;
const longestKept = 64;
const longestAtOnce = 4_096;
const utf8 = new TextEncoder();
const bytesAtOnce = 8_192;
const ascii = /^[\0-\x7f]*$/;

/** Counts the tokens of pieces. Words come back: what had to be merged is kept, in bounds. */
export class PieceCounter {
  private readonly kept = new Map<string, number>();

  constructor(private readonly known: BytePairRanks) {}

  count(piece: string): number {
    const kept = this.kept.get(piece);
    if (kept !== undefined) return kept;
    const tokens = countBytePairs(ascii.test(piece) ? piece : bytesOf(piece), this.known);
    if (tokens > 1 && piece.length <= longestKept) this.keep(piece, tokens);
    return tokens;
  }

  /** The same of a piece that is long, a step at a time. */
  *countInSteps(piece: string): Generator<void, number> {
    if (piece.length <= longestAtOnce) return this.count(piece);
    // Finding the end of the piece has taken some time already.
    yield;
    const bytes = ascii.test(piece) ? piece : bytesOf(piece);
    return yield* countBytePairsInSteps(bytes, this.known);
  }

  private keep(piece: string, tokens: number): void {
    if (this.kept.size >= maxSources) this.kept.clear();
    this.kept.set(piece, tokens);
  }
}

/** One character a byte. */
function bytesOf(piece: string): string {
  const bytes = utf8.encode(piece);
  let text = '';
  for (let at = 0; at < bytes.length; at += bytesAtOnce)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + bytesAtOnce));
  return text;
}
