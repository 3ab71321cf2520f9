import { baselines } from './baselines.mjs';
import { materialOf } from './material.mjs';

export const ours = 'Throughline';
export const others = Object.keys(baselines);
export const strategyNames = [ours, ...others];

/** The default of a server. */
const newest = 3;

/**
 * The result of each strategy for a context: a text, and the refs of the entries in full; undefined if ours refuses.
 */
export function answersOf(source, given) {
  const { budget, build, counts } = given;
  const pieces = materialOf(source, build);
  const most = counts.tokenizer.budgetUnits(budget);
  const made = Object.entries(baselines).map(([name, strategy]) => [
    name,
    strategy({ pieces, most, counts }),
  ]);
  const view = viewOf(source, given);
  return { pieces, answers: { ...(view && { [ours]: view }), ...Object.fromEntries(made) } };
}

export function viewOf(source, { budget, build, counts }) {
  const wishes = { maxTokens: budget, tokenizer: counts.tokenizer, newest, overflow: 'refuse' };
  const view = build.renderView(source, undefined, wishes);
  if (view.text === undefined) return undefined;
  const whole = view.items.filter(({ form }) => form === 'whole').map(({ ref }) => ref);
  return { text: view.text, whole: new Set(whole) };
}

/** The size of the whole relative to the budget. */
export function timesBudget(source, { budget, build, counts }) {
  const units = materialOf(source, build).reduce((sum, { text }) => sum + counts.units(text), 0);
  return units / counts.tokenizer.budgetUnits(budget);
}

export function sourceOf(contextId, state, { viewSource }) {
  return viewSource({ contextId, items: [...state.values()] });
}
