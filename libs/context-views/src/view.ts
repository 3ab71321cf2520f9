import { composeView } from './compose/compose-view.js';
import { type ViewSource } from './compose/layout.js';
import { type ComposedView, type Segment, type ViewForm } from './segments/segment.js';
import { type ViewBudget } from './compose/view-budget.js';

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
type TooSmall = Readonly<{ minimumTokens: number }>;

/** A view, and what of it stays as it was at the version before, where that is known. */
export function renderView(
  now: ViewSource,
  before: ViewSource | undefined,
  budget: ViewBudget,
): View | TooSmall {
  const { tokenizer } = budget;
  const composed = composeView(now, budget);
  if (!composed.fits) return { minimumTokens: tokenizer.tokensOf(composed.units) };
  const earlier = before && composeView(before, budget);
  const stable = stablePrefixUnits(earlier?.segments, composed.segments);
  return {
    text: composed.segments.map(({ text }) => text).join(''),
    tokens: tokenizer.tokensOf(composed.units),
    items: itemsOf(composed, budget),
    stablePrefixTokens: tokenizer.wholeTokensIn(stable),
  };
}

/** Units at the beginning of a text with which an earlier one begins too, in whole segments. */
function stablePrefixUnits(
  before: readonly Segment[] | undefined,
  now: readonly Segment[],
): number {
  let units = 0;
  for (const [at, segment] of now.entries()) {
    if (before?.[at]?.text !== segment.text) break;
    units += segment.units;
  }
  return units;
}

function itemsOf({ segments }: ComposedView, { tokenizer }: ViewBudget): readonly ViewItem[] {
  const fullOf = ({ original, covers, units }: Segment) =>
    covers ?? tokenizer.tokensOf(original ? original.wholeUnits(tokenizer) : units);
  return segments.flatMap((segment) =>
    segment.ref === null
      ? []
      : [
          {
            ref: segment.ref,
            form: segment.form,
            tokens: tokenizer.tokensOf(segment.units),
            fullTokens: fullOf(segment),
          },
        ],
  );
}
