import { bodyReaderOf, lazyItem } from './lazy-item.js';
import { shifted } from './lineage/lineage.js';

const facts = { kind: 'decision', key: 'DEC-001', fromVersion: 5, state: { version: 5 } } as const;

describe('a lazy item', () => {
  it('reads its body at each access', () => {
    let reads = 0;
    const item = lazyItem(facts, () => ++reads);
    expect([item.kind, item.fromVersion, reads]).toEqual(['decision', 5, 0]);
    expect([item.body, item.body]).toEqual([1, 2]);
  });

  it('is not read when its versions are shifted', () => {
    let reads = 0;
    const item = shifted(
      lazyItem(facts, () => ++reads),
      2,
    );
    expect(reads).toBe(0);
    expect(item).toMatchObject({ fromVersion: 3, state: { version: 3 }, body: 1 });
    expect(bodyReaderOf(item)).toBeDefined();
  });

  it('becomes an ordinary item when it is copied', () => {
    const copy = { ...lazyItem(facts, () => 'large') };
    expect(bodyReaderOf(copy)).toBeUndefined();
    expect(copy.body).toBe('large');
  });
});
