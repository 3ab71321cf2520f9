import { counted } from '../../ui/counted.js';

/** An entry of a view: `tokens` of the form that is shown, `fullTokens` of the whole. */
export type ViewItem = Readonly<{
  ref: string;
  form: 'whole' | 'digest' | 'line' | 'rollup';
  tokens: number;
  fullTokens: number;
}>;

/** The answer of `GET /v1/contexts/{id}/view`. */
export type View = Readonly<{
  text: string;
  tokens: number;
  maxTokens: number;
  tokenizer: string;
  version: number;
  audience: string;
  items: readonly ViewItem[];
  stablePrefixTokens: number;
  receipt: string;
  notes?: readonly string[];
}>;

export const formNames: Readonly<Record<ViewItem['form'], string>> = {
  whole: 'complete',
  digest: 'digest',
  line: 'one line',
  rollup: 'roll-up',
};

const number = new Intl.NumberFormat('en');

/** The size of an entry in words: `31 of 141 tokens`. The full size of a roll-up is an estimate. */
export function sizeOf({ form, tokens, fullTokens }: ViewItem): string {
  if (form === 'whole') return `${number.format(tokens)} tokens`;
  const about = form === 'rollup' ? 'about ' : '';
  return `${number.format(tokens)} of ${about}${number.format(fullTokens)} tokens`;
}

/** The widths of the bar of an entry in percent of the longest bar. */
export function widthsOf(
  { tokens, fullTokens }: ViewItem,
  most: number,
): Readonly<{ shown: number; full: number }> {
  const percent = (part: number) => Math.min(100, (100 * part) / Math.max(1, most));
  return { shown: percent(tokens), full: percent(Math.max(tokens, fullTokens)) };
}

/** The longest bar that the entries need. */
export function mostTokens(items: readonly ViewItem[]): number {
  return items.reduce((most, { tokens, fullTokens }) => Math.max(most, tokens, fullTokens), 0);
}

/** What was shortened, and why. */
export function shorteningOf({ items, maxTokens }: Pick<View, 'items' | 'maxTokens'>): string {
  const shortened = items.filter(({ form }) => form !== 'whole');
  if (items.length === 0) return 'The view has no entries.';
  const all = counted(items.length, 'entry', 'entries');
  if (shortened.length === 0) return `${all}, nothing shortened: everything fits into the budget.`;
  const full = items.reduce((sum, { fullTokens }) => sum + fullTokens, 0);
  const part = `${number.format(shortened.length)} of ${all} ${shortened.length === 1 ? 'is' : 'are'} shortened`;
  return `${part}: complete, they would take about ${number.format(full)} tokens, and the budget is ${number.format(maxTokens)}.`;
}

/** Entries that only one of two views has. */
export function onlyIn(
  items: readonly ViewItem[],
  others: readonly ViewItem[] | undefined,
): ReadonlySet<string> {
  if (!others) return new Set();
  const known = new Set(others.map(({ ref }) => ref));
  return new Set(items.map(({ ref }) => ref).filter((ref) => !known.has(ref)));
}
