import { type ComposedView, type ViewBudget, composeView } from './compose/compose-view.js';
import { type ViewSource } from './compose/layout.js';
import { type Memo, noMemo } from './compose/pieces.js';
import { type Segment, type ViewForm } from './compose/segment.js';
import { stablePrefixUnits } from './compose/stable-prefix.js';

/** Something a view tells of: `ref` leads to the original, `fullTokens` is what that takes; of a roll-up, estimated. */
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

/** Not even what is never dropped fits: it would take so many tokens. */
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
  const tokens = (text: string) => tokenizer.tokensOf(memo.whole(tokenizer, text));
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
