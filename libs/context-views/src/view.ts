import { type ComposedView, composeView } from './compose/compose-view.js';
import { type ViewSource } from './compose/layout.js';
import { type Memo, noMemo } from './compose/pieces.js';
import { type Segment, type ViewForm } from './compose/segment.js';
import { stablePrefixUnits } from './compose/stable-prefix.js';
import { type ViewBudget } from './compose/view-budget.js';
import { type Tokenizer } from './tokens/tokenizer.js';

/** An item of a view: `ref` leads to the original, and `fullTokens` is the size of the original; for a roll-up, estimated. */
export type ViewItem = Readonly<{
  ref: string;
  form: ViewForm;
  tokens: number;
  fullTokens: number;
}>;

export type View = Readonly<{
  text: string;
  tokens: number;
  items: readonly ViewItem[];
  /** How many tokens at its beginning are those of the view of the version before. */
  stablePrefixTokens: number;
}>;

/** Not even a reference to everything fits: the smallest view takes so many tokens. */
export type TooSmall = Readonly<{ minimumTokens: number }>;

/** A view, and what of it stays as it was at the version before, where that is known. */
export function renderView(
  now: ViewSource,
  before: ViewSource | undefined,
  budget: ViewBudget,
  memo: Memo = noMemo,
): View | TooSmall {
  const { tokenizer } = budget;
  const composed = composeView(now, budget, memo);
  if (!composed.fits) return { minimumTokens: tokenizer.tokensOf(composed.units) };
  const earlier = before && composeView(before, budget, memo);
  const stable = stablePrefixUnits(earlier?.segments, composed.segments);
  return {
    text: composed.segments.map(({ text }) => text).join(''),
    tokens: tokenizer.tokensOf(composed.units),
    items: itemsOf(composed, budget, memo),
    stablePrefixTokens: tokenizer.wholeTokensIn(stable),
  };
}

function itemsOf({ segments }: ComposedView, budget: ViewBudget, memo: Memo): readonly ViewItem[] {
  const { tokenizer } = budget;
  const tokens = (whole: () => string) => tokenizer.tokensOf(wholeUnits(whole, tokenizer, memo));
  const fullOf = ({ whole, covers, units }: Segment) =>
    covers ?? (whole === undefined ? tokenizer.tokensOf(units) : tokens(whole));
  return segments.flatMap((segment) =>
    segment.ref === null
      ? []
      : [
          {
            ...{ ref: segment.ref, form: segment.form },
            ...{ tokens: tokenizer.tokensOf(segment.units), fullTokens: fullOf(segment) },
          },
        ],
  );
}

/** As long as somebody has the segment, what it takes whole: making that text again may take long. */
const counted = new WeakMap<Tokenizer, WeakMap<() => string, number>>();

function wholeUnits(whole: () => string, tokenizer: Tokenizer, memo: Memo): number {
  const known = counted.get(tokenizer) ?? new WeakMap<() => string, number>();
  counted.set(tokenizer, known);
  const units = known.get(whole) ?? memo.whole(tokenizer, whole());
  known.set(whole, units);
  return units;
}
