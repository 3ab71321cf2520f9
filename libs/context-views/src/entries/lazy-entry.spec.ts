import { type JsonObject } from '#event-sourcing';
import { type Item, lazyItem } from '#shared-context';

import { TimelineIndex } from '../compose/timeline-index.js';
import { Outlines, entriesOf } from '../sources/item-entry.js';
import { statusAmong } from '../sources/view-source.js';

/** A decision whose body is not in memory, and how often it was read. */
function packedDecision(key: string, more: JsonObject = {}) {
  const body = { decisionId: key, topic: 't', decision: 'x'.repeat(40_000), ...more };
  const seen = { reads: 0 };
  const item = lazyItem(
    { kind: 'decision', key, fromVersion: 3, state: { status: 'live' } },
    () => {
      seen.reads += 1;
      return body;
    },
  );
  return { item, seen };
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
  it('is made again without its body, if that does not rest on many decisions', () => {
    for (const more of [{}, restsOn(many.slice(0, 20))]) {
      const { item, seen } = packedDecision('D', more);
      const entry = entryIn(item);
      expect(entry.statusLabels).toEqual(['live', 'topic `t`']);
      const like = TimelineIndex.of([entry]);
      const { reads } = seen;
      expect(entryIn(item, [], like)).toBe(entry);
      for (let n = 0; n < 3; n++) entryIn(item, [past], like);
      expect(seen.reads).toBe(reads);
    }
  });

  it('reads again on which decisions it rests, if these are many, and does not keep them', () => {
    const { item, seen } = packedDecision('D', restsOn(many));
    const like = TimelineIndex.of([entryIn(item)]);
    const { reads } = seen;
    expect(entryIn(item, [], like).statusLabels).toEqual(['live', 'topic `t`']);
    expect(seen.reads).toBeGreaterThan(reads);
  });

  it('is stale if one of the decisions it rests on is superseded, however many there are', () => {
    for (const ids of [many.slice(0, 20), many]) {
      const { item } = packedDecision('D', restsOn(ids));
      expect(entryIn(item, [past]).statusLabels.at(-1)).toMatch(/^stale/);
    }
  });
});
