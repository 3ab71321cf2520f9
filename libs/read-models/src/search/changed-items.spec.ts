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

/** The result of the generator and the number of its steps. */
function run(count: number) {
  const rows = Array.from({ length: count }, (_, n) => row(n + 2, n + 1 < count ? n + 3 : null));
  const steps = changesIn([row(1, 2), ...rows], { after: 1, to: count + 1 });
  for (let n = 0; ; n++) {
    const { done, value } = steps.next();
    if (done) return { steps: n, ...value };
  }
}

describe('changesIn', () => {
  it('takes one step for each value of an item', () => {
    expect([run(10).steps, run(500).steps]).toEqual([10, 500]);
  });

  it('returns each value with its end, and the end of the earlier value', () => {
    const { ended, added } = run(2);
    expect(ended).toEqual([{ kind: 'global', key: 'a', toVersion: 2 }]);
    expect(added).toMatchObject([
      { fromVersion: 2, toVersion: 3, item: { body: { at: 2 } } },
      { fromVersion: 3, toVersion: null, item: { body: { at: 3 } } },
    ]);
  });
});
