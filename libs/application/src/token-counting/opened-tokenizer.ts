import { type Tokenizer, type TokenizerName, openTokenizer } from '#context-views';
import { runInSlices } from '#slices';

const opening = new Map<TokenizerName, Promise<Tokenizer>>();

/** Opens each tokenizer once and shares it, because opening one takes a tenth of a second. */
export function openedTokenizer(name: TokenizerName): Promise<Tokenizer> {
  const opened = opening.get(name) ?? runInSlices(openTokenizer(name));
  opening.set(name, opened);
  return opened;
}
