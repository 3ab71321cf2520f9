import { lastSeen } from '../recall.mjs';
import { answersOf, ours, sourceOf, strategyNames, timesBudget } from '../strategies.mjs';

const nextSteps = 20;
/** The places in a run, as a share of its events, at which an agent continues. */
const places = [0.5, 0.75];

/**
 * The share of reused facts in the text for the next agent: facts of outputs before the newest three that the next
 * twenty outputs mention and the newest three do not. Contexts that fit at that place are omitted, and so are places
 * without reused facts.
 */
export function measureNeed(contexts, given) {
  return contexts.flatMap((context) => {
    const cells = places.flatMap((place) => needAt(context, place, given));
    given.counts.forget();
    given.facts.forget();
    return cells;
  });
}

function needAt(context, place, given) {
  const { name, events } = context;
  const { build, facts } = given;
  const cut = Math.floor(events.length * place);
  const fold = (state, some) => some.reduce((now, event) => now.apply(event), state);
  const now = fold(build.ContextState.from([]), events.slice(0, cut));
  const source = sourceOf(name, now, build);
  if (timesBudget(source, given) <= 1) return [];
  const { pieces, answers } = answersOf(source, given);
  if (!answers[ours]) return [];
  const outputs = pieces.filter(({ isShortenable }) => isShortenable).map(({ text }) => text);
  const seen = facts.of(outputs.slice(-lastSeen));
  const older = facts.of(outputs.slice(0, -lastSeen));
  const next = facts.of(nextOutputs({ name, events, cut, now }, given));
  const needed = new Set([...older].filter((fact) => next.has(fact) && !seen.has(fact)));
  if (needed.size === 0) return [];
  const shares = strategyNames.map((strategy) => [
    strategy,
    { told: facts.toldIn(answers[strategy].text, needed), of: needed.size },
  ]);
  return [{ context, of: Object.fromEntries(shares) }];
}

/** The full outputs of the next steps; some events have no output. */
function nextOutputs({ name, events, cut, now }, { build }) {
  const next = events.slice(cut, cut + 2 * nextSteps);
  const state = next.reduce((later, event) => later.apply(event), now);
  return madeSince(sourceOf(name, state, build), cut, build).slice(0, nextSteps);
}

function madeSince(source, version, { wholeText }) {
  return source.timeline.entries
    .filter((entry) => entry.version > version && entry.kind !== 'decision')
    .map((entry) => wholeText(entry));
}
