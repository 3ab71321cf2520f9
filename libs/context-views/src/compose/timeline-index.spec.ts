import fc from 'fast-check';

import { type Item } from '#shared-context';

import { type Entry } from '../entries/entry.js';
import { entryOf } from '../sources/item-entry.js';
import { timelineSection } from '../entries/section.js';
import { entryClasses } from './group-tallies.js';
import { TimelineIndex } from './timeline-index.js';
import { type VersionGroup, groupSize } from './version-groups.js';

type Change = Readonly<{ key: number; isDecision: boolean; pinned: boolean; isRemoved: boolean }>;

const changes = fc.array(
  fc.record({
    key: fc.nat(400),
    isDecision: fc.boolean(),
    pinned: fc.boolean(),
    isRemoved: fc.boolean(),
  }),
  { minLength: 1, maxLength: 72, size: 'max' },
);

function entryAt(version: number, { key, isDecision, pinned }: Change): Entry {
  const kind = isDecision ? 'decision' : 'step-output';
  const text = `what v${version} says of src/file-${key}.ts`;
  const item: Item = {
    kind,
    key: `${key}`,
    fromVersion: version,
    state: { agentId: 'a', version, status: pinned ? 'live' : 'superseded' },
    body: isDecision
      ? { decisionId: `${key}`, decision: text }
      : { stepId: `${key}`, output: text },
  };
  const section = timelineSection(item) ?? 'outputs';
  return entryOf(item, section);
}

/** All groups that can be requested, full or not. */
function groupsTo(newest: number): readonly VersionGroup[] {
  const groups: VersionGroup[] = [];
  for (let size = groupSize; size < newest * 2 + groupSize; size *= 2)
    for (let from = 0; from < newest; from += size)
      groups.push({ from: from + 1, to: from + size });
  return groups;
}

const talliesOf = (index: TimelineIndex, groups: readonly VersionGroup[]) =>
  groups.map((group) =>
    [['outputs'] as const, ['others'] as const, entryClasses].map((each) =>
      index.tally(group, each),
    ),
  );

describe('the index of a timeline', () => {
  it('returns the tallies of a new index, also after tallies of related indexes were computed', () => {
    fc.assert(
      fc.property(changes, fc.infiniteStream(fc.boolean()), (all, coins) => {
        let index = TimelineIndex.of([]);
        const known: TimelineIndex[] = [];
        const groups = groupsTo(all.length);
        for (const [at, change] of all.entries()) {
          const entry = entryAt(at + 1, change);
          const isKnown = index.entries.some(({ ref }) => ref === entry.ref);
          index = index.with(change.isRemoved ? [] : [entry], new Set(isKnown ? [entry.ref] : []));
          known.push(index);
          if (coins.next().value) talliesOf(index, groups);
          if (coins.next().value) known.push(index.filter(({ kind }) => kind === 'step-output'));
        }
        // All indexes since the last full group, which others have filled since, and some earlier ones.
        for (const each of known.filter((_, at) => at % 3 === 0 || at > known.length - 24))
          expect(talliesOf(each, groups)).toEqual(
            talliesOf(TimelineIndex.of(each.entries), groups),
          );
      }),
      { numRuns: 5 },
    );
  });

  it('returns the right tallies for each of two timelines that continue the same one', () => {
    const output = (at: number, key: number) =>
      entryAt(at, { key, isDecision: false, pinned: false, isRemoved: false });
    const first = TimelineIndex.of([output(1, 1)]);
    const [left, right] = [2, 3].map((key) => first.with([output(groupSize, key)], new Set()));
    for (const each of [left, right])
      expect(each && talliesOf(each, groupsTo(groupSize))).toEqual(
        each && talliesOf(TimelineIndex.of(each.entries), groupsTo(groupSize)),
      );
  });

  it('takes stored tallies of blocks with the same entries, and returns the blocks that it has tallied itself', () => {
    const output = (at: number) =>
      entryAt(at, { key: at, isDecision: false, pinned: false, isRemoved: false });
    const newIndex = () => TimelineIndex.of(Array.from({ length: 200 }, (_, at) => output(at + 1)));
    const first = newIndex();
    talliesOf(first, groupsTo(200));
    const made = first.groups.takeFresh();
    expect(made.map(({ first: leaf }) => leaf)).toEqual([0, 4, 8]);
    expect(first.groups.takeFresh()).toEqual([]);

    const second = newIndex();
    expect(second.groups.untallied()).toHaveLength(3);
    for (const block of second.groups.untallied()) {
      const stored = made.find(({ first: leaf }) => leaf === block.first);
      if (stored) second.groups.learn(block, stored);
    }
    expect(second.groups.untallied()).toEqual([]);
    talliesOf(second, groupsTo(200));
    expect(second.groups.takeFresh()).toEqual([]);
  });
});
