import { ContextState, type Item, noActivity } from '#shared-context';

import { IncrementalViewSource } from '../sources/incremental-view-source.js';
import { viewSource } from '../sources/view-source.js';
import { tokenizerOf } from '../tokens/tokenizer.js';
import { renderView } from '../view.js';
import { prepareTimeline } from './timeline-index.js';

const maxTokens = 2_000;
const budget = {
  maxTokens,
  tokenizer: tokenizerOf('chars4'),
  newest: 2,
  overflow: 'minimum' as const,
};

/** New items on each call, for which nothing is cached. */
function outputs(count: number, words: number): Item[] {
  return Array.from({ length: count }, (_, n): Item => {
    const output = Array.from({ length: words }, (_, at) => `src/part-${n}/file-${at}.ts`).join(
      ' ',
    );
    const body = { stepId: `s${n}`, output };
    return { kind: 'step-output', key: `s${n}`, fromVersion: n + 2, state: {}, body };
  });
}

function sourceOf(items: readonly Item[]) {
  return viewSource({ contextId: 'c', items });
}

function stepsOf(steps: Generator<void, unknown>): number {
  let count = 0;
  while (!steps.next().done) count += 1;
  return count;
}

describe('preparing a timeline', () => {
  it('takes steps in proportion to the length of its texts, and almost none the second time', () => {
    const [large, larger] = [sourceOf(outputs(1, 40_000)), sourceOf(outputs(1, 80_000))];
    const steps = stepsOf(prepareTimeline(large.timeline, maxTokens));
    expect(steps).toBeGreaterThan(100);
    const ratio = stepsOf(prepareTimeline(larger.timeline, maxTokens)) / steps;
    expect(ratio).toBeGreaterThan(1.8);
    expect(ratio).toBeLessThan(2.2);
    expect(stepsOf(prepareTimeline(larger.timeline, maxTokens))).toBeLessThan(3);
  });

  it('takes a step for each group that is rolled up, and fewer the second time', () => {
    const { timeline } = sourceOf(outputs(2_000, 30));
    expect(stepsOf(prepareTimeline(timeline, maxTokens))).toBeGreaterThan(2_000 / 16);
    const near = stepsOf(prepareTimeline(timeline, maxTokens));
    expect(near).toBeLessThan(2_000 / 16);
  });

  it('takes no steps if everything fits whole', () => {
    const { timeline } = sourceOf(outputs(10, 3));
    expect(stepsOf(prepareTimeline(timeline, maxTokens))).toBe(0);
  });

  it('does not change any view', () => {
    for (const [count, words] of [
      [1, 40_000],
      [30, 2_000],
      [500, 30],
    ] as const) {
      const [prepared, plain] = [sourceOf(outputs(count, words)), sourceOf(outputs(count, words))];
      stepsOf(prepareTimeline(prepared.timeline, maxTokens));
      const views = [prepared, plain].map((source) => renderView(source, undefined, budget));
      expect(views[0]).toEqual(views[1]);
    }
  });
});

describe('building a view source', () => {
  it.each(['global', 'issue'] as const)(
    'takes steps in proportion to the long text of a %s',
    (kind) => {
      const made = (words: number) => {
        const text = Array.from({ length: words }, (_, at) => `src/file-${at}.ts`).join(' ');
        const state = { status: 'open' };
        const item: Item = { kind, key: 'k', fromVersion: 2, state, body: { text } };
        return stepsOf(
          IncrementalViewSource.inSteps({
            contextId: 'c',
            state: ContextState.from([item]),
            activity: noActivity,
          }),
        );
      };
      const ratio = made(80_000) / made(40_000);
      expect(ratio).toBeGreaterThan(1.8);
      expect(ratio).toBeLessThan(2.2);
    },
  );
});
