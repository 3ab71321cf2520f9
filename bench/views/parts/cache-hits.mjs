import { answersOf, ours, sourceOf, timesBudget, viewOf } from '../strategies.mjs';

/** The first measured version of a run exceeds this share of the budget: earlier views contain everything in full. */
const fromPart = 0.5;
/** A longer run is represented by this number of windows of consecutive versions. */
const windows = 3;

/**
 * The hit rate of a prompt cache if a view was requested after each event: the share of bytes at the beginning of a
 * view that equal the view before it, up to the last token that is certainly the same. Runs that never exceed the
 * budget are omitted.
 */
export function measureCacheHits(contexts, given) {
  return contexts.flatMap((context) => {
    const by = hitsOf(context, given);
    given.counts.forget();
    return by ? [{ context, by }] : [];
  });
}

function hitsOf({ name, events }, given) {
  const sizeAt = (version) => timesBudget(sourceAt(name, events.slice(0, version), given), given);
  if (sizeAt(events.length) <= 1) return undefined;
  const first = firstVersion(events.length, (version) => sizeAt(version) > fromPart);
  const counted = versionsOf(Math.max(first, 2), events.length, given.versions);
  const sums = {};
  let before;
  for (const { version, texts } of viewsAt({ name, events }, counted, given)) {
    const added = events[version - 1].bytes;
    if (counted.has(version) && before) addHits(sums, { before, now: texts, added });
    before = texts;
  }
  return sums[ours] && sums;
}

/** The texts of the measured versions and of the version before each, in order. */
function* viewsAt({ name, events }, counted, given) {
  let state = given.build.ContextState.from([]);
  for (const [at, event] of events.entries()) {
    state = state.apply(event);
    const version = at + 1;
    if (!counted.has(version) && !counted.has(version + 1)) continue;
    yield { version, texts: textsOf(sourceOf(name, state, given.build), given) };
  }
}

/** Without `others`, ours only: baselines take most of the time. */
function textsOf(source, given) {
  if (!given.others) return { [ours]: viewOf(source, given)?.text };
  const { answers } = answersOf(source, given);
  return Object.fromEntries(Object.entries(answers).map(([name, { text }]) => [name, text]));
}

function sourceAt(name, events, { build }) {
  const state = events.reduce((now, event) => now.apply(event), build.ContextState.from([]));
  return sourceOf(name, state, build);
}

/** The first version for which `isLarge` is true; contexts grow, and it is true for the last one. */
function firstVersion(last, isLarge) {
  let [low, high] = [1, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isLarge(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** All versions if there are at most `most`; otherwise windows at the beginning, in the middle and at the end. */
function versionsOf(first, last, most) {
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (all.length <= most) return new Set(all);
  const length = Math.floor(most / windows);
  const starts = Array.from({ length: windows }, (_, n) =>
    Math.floor((n * (all.length - length)) / (windows - 1)),
  );
  return new Set(starts.flatMap((start) => all.slice(start, start + length)));
}

/** `old`: the maximum hit rate if a view only added its newest event, as long as that is in it in full. */
function addHits(sums, { before, now, added }) {
  for (const [name, text] of Object.entries(now)) {
    if (text === undefined || before[name] === undefined) continue;
    const sum = (sums[name] ??= { hit: 0, old: 0, of: 0, views: 0 });
    const bytes = Buffer.byteLength(text);
    sum.hit += Buffer.byteLength(text.slice(0, commonTokens(before[name], text)));
    sum.old += Math.max(0, bytes - added);
    sum.of += bytes;
    sum.views += 1;
  }
}

/** The length of the common beginning of two texts, up to a place at which a token of both begins. */
export function commonTokens(left, right) {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left[at] === right[at]) at += 1;
  if (at === left.length && at === right.length) return at;
  while (at > 0 && !(isTokenStart(left, at) && isTokenStart(right, at))) at -= 1;
  return at;
}

/**
 * Whether tokenizers begin a token there, regardless of the text before: at a line that does not begin with white space
 * or a slash, or at the space before a word.
 */
function isTokenStart(text, at) {
  if (text[at - 1] === '\n') return !/[\s/]/.test(text[at] ?? '');
  return text[at] === ' ' && /\S/.test(text[at - 1]) && /\p{L}/u.test(text[at + 1] ?? '');
}
