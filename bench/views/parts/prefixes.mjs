import { answersOf, ours, sourceOf, strategyNames, timesBudget, viewOf } from '../strategies.mjs';

/**
 * The common beginning of the texts of consecutive versions, at pairs of versions at equal distances over each context.
 */
export function measurePrefixes(contexts, given) {
  return contexts.map((context) => {
    const pairs = ofContext(context, given);
    given.counts.forget();
    return { context, pairs };
  });
}

function ofContext({ name, events }, given) {
  const { build, pairs } = given;
  const isFirst = spread(events.length - 1, pairs);
  const shares = [];
  let state = build.ContextState.from([]);
  let before;
  for (const [at, event] of events.entries()) {
    state = state.apply(event);
    if (!isFirst.has(at) && !isFirst.has(at - 1)) continue;
    const source = sourceOf(name, state, build);
    const texts = textsOf(source, given);
    if (isFirst.has(at - 1))
      shares.push({
        isOver: timesBudget(source, given) > 1,
        of: sharesOf(before, texts, given.counts.tokenizer),
      });
    before = texts;
  }
  return shares;
}

function spread(pairs, most) {
  const count = Math.min(pairs, most);
  return new Set(Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * pairs) / count)));
}

/** Without `others`, ours only: baselines take most of the time. */
function textsOf(source, given) {
  if (!given.others) return { [ours]: viewOf(source, given)?.text };
  const { answers } = answersOf(source, given);
  return Object.fromEntries(Object.entries(answers).map(([name, { text }]) => [name, text]));
}

/** In tokens of the earlier text. */
function sharesOf(before, now, { unitsOf }) {
  const both = strategyNames.filter(
    (name) => before[name] !== undefined && now[name] !== undefined,
  );
  return Object.fromEntries(
    both.map((name) => {
      const same = commonLength(before[name], now[name]);
      if (same === before[name].length) return [name, 1];
      return [name, unitsOf(before[name].slice(0, same)) / unitsOf(before[name])];
    }),
  );
}

function commonLength(left, right) {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left[at] === right[at]) at += 1;
  return at;
}
