import { type JsonObject } from '#event-sourcing';
import { type Item, lazyItem } from '#shared-context';

import { TimelineIndex } from '../compose/timeline-index.js';
import { Outlines, entriesOf } from '../sources/item-entry.js';
import { statusAmong } from '../sources/view-source.js';

/** A decision whose body is not in memory, and a counter of reads. */
function packedDecision(key: string, more: JsonObject = {}) {
  const body = { decisionId: key, topic: 't', decision: 'x'.repeat(40_000), ...more };
  const counter = { reads: 0 };
  const item = lazyItem(
    { kind: 'decision', key, fromVersion: 3, state: { status: 'live' } },
    () => {
      counter.reads += 1;
      return body;
    },
  );
  return { item, counter };
}

const restsOn = (ids: readonly string[]) => ({
  relatedDecisions: ids.map((decisionId) => ({ decisionId, relation: 'requires' })),
});
const many = Array.from({ length: 20_000 }, (_, n) => `DEC-${n}`);
const past: Item = {
  kind: 'decision',
  key: 'DEC-7',
  fromVersion: 2,
  body: { decision: 'd' },
  state: { status: 'superseded' },
};
const entryIn = (item: Item, decisions: readonly Item[] = [], like?: TimelineIndex) => {
  const status = statusAmong([item, ...decisions], undefined, new Outlines(like).of);
  const [entry] = entriesOf([item], status, like);
  if (!entry) throw new Error('there is no entry');
  return entry;
};

describe('an entry of an item whose body is not in memory', () => {
  it('is rebuilt without reading its body, if it rests on few decisions', () => {
    for (const more of [{}, restsOn(many.slice(0, 20))]) {
      const { item, counter } = packedDecision('D', more);
      const entry = entryIn(item);
      expect(entry.statusLabels).toEqual(['live', 'topic `t`']);
      const like = TimelineIndex.of([entry]);
      const { reads } = counter;
      expect(entryIn(item, [], like)).toBe(entry);
      for (let n = 0; n < 3; n++) entryIn(item, [past], like);
      expect(counter.reads).toBe(reads);
    }
  });

  it('reads a long list of related decisions again, and does not cache it', () => {
    const { item, counter } = packedDecision('D', restsOn(many));
    const like = TimelineIndex.of([entryIn(item)]);
    const { reads } = counter;
    expect(entryIn(item, [], like).statusLabels).toEqual(['live', 'topic `t`']);
    expect(counter.reads).toBeGreaterThan(reads);
  });

  it('is stale if one of its related decisions is superseded, also if there are many', () => {
    for (const ids of [many.slice(0, 20), many]) {
      const { item } = packedDecision('D', restsOn(ids));
      expect(entryIn(item, [past]).statusLabels.at(-1)).toMatch(/^stale/);
    }
  });
});
