import { findInvented } from '../invented.mjs';
import { countLabels } from '../labels.mjs';
import { recallOf } from '../recall.mjs';
import { answersOf, ours, sourceOf, strategyNames, timesBudget } from '../strategies.mjs';

/** The result of each strategy for a context that exceeds the budget. */
export function measureContent(contexts, given) {
  const { counts, facts } = given;
  const measured = contexts.map((context) => {
    const cell = measureContext(context, given);
    counts.forget();
    facts.forget();
    return { context, ...cell };
  });
  return measured.filter(({ fits }) => !fits);
}

function measureContext({ name, events }, given) {
  const { build, counts, budget, facts } = given;
  const state = events.reduce((now, event) => now.apply(event), build.ContextState.from([]));
  const source = sourceOf(name, state, build);
  const times = timesBudget(source, given);
  if (times <= 1) return { fits: true };
  const { pieces, answers } = answersOf(source, given);
  if (!answers[ours]) return { times, refused: true };
  const recall = recallOf(answers, pieces, facts);
  const live = source.timeline.entries
    .filter(isLiveDecision)
    .map(({ members }) => shown(members.decision));
  const cells = strategyNames.map((strategy) => [
    strategy,
    {
      recall: recall[strategy],
      used: usedOf(answers[strategy].text, counts.tokenizer, budget),
      decisions: {
        told: live.filter((text) => answers[strategy].text.includes(text)).length,
        of: live.length,
      },
    },
  ]);
  return {
    ...{ times, strategies: Object.fromEntries(cells) },
    ...faithfulness(answers[ours], { pieces, events, facts }),
  };
}

/**
 * For a view of ours: the number of facts with a label among the shortened ones, and the facts that the events do not
 * contain.
 */
function faithfulness({ text, whole }, { pieces, events, facts }) {
  const outputs = pieces.filter(({ isShortenable, ref }) => isShortenable && !whole.has(ref));
  const shortened = facts.of(outputs.map((output) => output.text));
  const { of, found } = findInvented(text, events, facts);
  return {
    labels: countLabels({ text, whole, shortened }, facts),
    invented: { told: found.length, of, found },
  };
}

function isLiveDecision({ kind, pinned }) {
  return kind === 'decision' && pinned;
}

function usedOf(text, { unitsOf, budgetUnits }, budget) {
  return unitsOf(text) / budgetUnits(budget);
}

function shown(text) {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
