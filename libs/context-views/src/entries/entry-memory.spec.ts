import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type Item, finish } from '#shared-context';

import { prepareTimeline } from '../compose/timeline-index.js';
import { viewSource } from '../sources/view-source.js';
import { tokenizerOf } from '../tokens/tokenizer.js';
import { renderView } from '../view.js';

const budget = { tokenizer: tokenizerOf('chars4'), newest: 1, overflow: 'refuse' as const };

const collections = 20;

/** Large and small outputs, some of which a view rolls up. */
function outputs(): Item[] {
  return Array.from({ length: 100 }, (_, n): Item => {
    const output = `Step ${n} has read src/part-${n}.ts. `.repeat(n % 10 === 9 ? 5_000 : 20);
    const body = { stepId: `s${n}`, output };
    return { kind: 'step-output', key: `s${n}`, fromVersion: n + 2, state: {}, body };
  });
}

/** Weak references to the source and the entries of a view. */
function renderedOnce(): readonly WeakRef<object>[] {
  const source = viewSource({ contextId: 'c', items: outputs() });
  finish(prepareTimeline(source.timeline, 2_000));
  expect(renderView(source, undefined, { ...budget, maxTokens: 2_000 })).toHaveProperty('text');
  const { entries } = source.timeline;
  return [source, ...entries, ...entries.map(({ texts }) => texts)].map(
    (each) => new WeakRef(each),
  );
}

describe('the cached values of entries', () => {
  it('are freed with the source of the entries, also if they are large', async () => {
    // Only this test needs to collect garbage.
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const refs = renderedOnce();
    const reachable = () => refs.filter((each) => each.deref() !== undefined);
    // The target of a new weak reference stays in memory until the next task, and a running compilation may hold it
    // longer. An object that is never freed fails the test after the last collection.
    for (let nth = 0; nth < collections && (nth === 0 || reachable().length > 0); nth++) {
      await setImmediate();
      collect();
    }
    expect(reachable()).toEqual([]);
  });
});
