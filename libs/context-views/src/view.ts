import { composeView } from './compose/compose-view.js';
import { type ViewSource } from './compose/layout.js';
import { type ComposedView, type Segment, type ViewForm } from './segments/segment.js';
import { type ViewBudget } from './compose/view-budget.js';

/**
 * An item of a view: `ref` leads to the original, and `fullTokens` is the size of the original, which is estimated for
 * a roll-up.
 */
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
  /** The number of tokens at the beginning that are the same in the view of the previous version. */
  stablePrefixTokens: number;
}>;

/** Not even a reference to everything fits; `minimumTokens` is the size of the smallest view. */
type TooSmall = Readonly<{ minimumTokens: number }>;

/** Renders a view. If the source of the previous version is known, reports how much of its view is unchanged. */
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

/** Units of the whole segments that two views have in common at their beginning. */
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
