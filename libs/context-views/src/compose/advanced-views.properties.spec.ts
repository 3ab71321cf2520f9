import fc from 'fast-check';

import { type Item } from '#shared-context';

import { viewSource } from '../sources/view-source.js';
import { tokenizerOf } from '../tokens/tokenizer.js';
import { renderView } from '../view.js';
import { type ViewSource } from './layout.js';

const tokenizer = tokenizerOf('o200k_base');
const text = (seed: number, words: number) =>
  Array.from({ length: words }, (_, at) => `word${(seed * 31 + at * 7) % 97} item_${at % 11}`).join(
    '. ',
  );

/** An output, a message of a person, a record or a live decision, of varying length. */
const generatedItems = fc.record({
  // Mostly outputs, so that many entries are settled before a person writes anything.
  kind: fc.oneof(
    { weight: 20, arbitrary: fc.constant('output') },
    { weight: 2, arbitrary: fc.constant('said') },
    { weight: 2, arbitrary: fc.constant('record') },
    { weight: 1, arbitrary: fc.constant('decision') },
  ),
  words: fc.constantFrom(3, 40, 40, 90, 400),
});
type GeneratedItem = Readonly<{ kind: string; words: number }>;

function itemOf({ kind, words }: GeneratedItem, at: number): Item {
  const version = at + 2;
  const facts = { key: `k${at}`, fromVersion: version };
  const state = { agentId: 'ada' };
  if (kind === 'decision') {
    const body = { decisionId: `k${at}`, topic: `t${at}`, decision: text(at, words) };
    return { ...facts, kind, state: { ...state, status: 'live', version }, body };
  }
  if (kind === 'record')
    return {
      ...facts,
      kind,
      state,
      body: { recordId: `k${at}`, kind: 'note', body: text(at, words) },
    };
  const output = kind === 'said' ? { role: 'user', content: text(at, words) } : text(at, words);
  return { ...facts, kind: 'step-output', state, body: { stepId: `k${at}`, output } };
}

const sourceOf = (items: readonly Item[]) => viewSource({ contextId: 'c', items });

/** The source of the next version. It shares the cached results of the previous source. */
function advanced(source: ViewSource, item: Item): ViewSource {
  const { entries } = sourceOf([item]).timeline;
  return { ...source, timeline: source.timeline.with(entries, new Set()) };
}

function rendered(source: ViewSource, maxTokens: number): unknown {
  const budget = { maxTokens, tokenizer, newest: 3, overflow: 'minimum' as const };
  return renderView(source, undefined, budget);
}

describe('a view of an incrementally extended source', () => {
  it('equals the view of a new source, also after views of it and of other continuations were rendered', () => {
    const cases = fc.array(
      fc.tuple(generatedItems, generatedItems, fc.constantFrom(0, 700, 1_000, 2_000)),
      {
        minLength: 10,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(cases, (steps) => {
        const items: Item[] = [];
        let source = sourceOf([]);
        for (const [at, [next, other, maxTokens]] of steps.entries()) {
          const branch = advanced(source, itemOf(other, at));
          if (maxTokens > 0) rendered(branch, maxTokens);
          items.push(itemOf(next, at));
          source = advanced(source, itemOf(next, at));
          if (maxTokens > 0)
            expect(rendered(source, maxTokens)).toEqual(rendered(sourceOf(items), maxTokens));
        }
      }),
      // Shrinking a case takes minutes: each step renders many views.
      { numRuns: 12, endOnFailure: true },
    );
  });
});
