import { changesIn } from './changed-items.js';

const row = (from_version: number, to_version: number | null) => ({
  kind: 'global' as const,
  key: 'a',
  from_version,
  to_version,
  state: '{}',
  body: `{"at":${from_version}}`,
  sources: null,
});

/** What the steps come to, and how many there are. */
function run(count: number) {
  const rows = Array.from({ length: count }, (_, n) => row(n + 2, n + 1 < count ? n + 3 : null));
  const steps = changesIn([row(1, 2), ...rows], { after: 1, to: count + 1 });
  for (let taken = 0; ; taken++) {
    const { done, value } = steps.next();
    if (done) return { taken, ...value };
  }
}

describe('what a stretch of versions did to items', () => {
  it('is found in a step for each value, however many values one item has had', () => {
    expect([run(10).taken, run(500).taken]).toEqual([10, 500]);
  });

  it('is each value until the next, and the end of the one before', () => {
    const { ended, added } = run(2);
    expect(ended).toEqual([{ kind: 'global', key: 'a', toVersion: 2 }]);
    expect(added).toMatchObject([
      { fromVersion: 2, toVersion: 3, item: { body: { at: 2 } } },
      { fromVersion: 3, toVersion: null, item: { body: { at: 3 } } },
    ]);
  });
});
