import { type Item, bodyReaderOf, derivedKey, lazyItem } from '#shared-context';
import {
  TransformationSet,
  compileTransformation,
  orderTransformations,
  placedPath,
} from '#transformations';

import { markDerived, markItem } from './mark-derived.js';
import { PlaceReader } from './place-reader.js';

const path = 'global_context.plan.score';

/** An active transformation with this id and destination. */
function active(transformationId: string, destination = path): TransformationSet {
  return orderTransformations([
    compileTransformation(
      { transformationId, version: 1 },
      {
        trigger: { step: 's' },
        sources: { values: 'context.s' },
        operation: { kind: 'score', expression: 'sum(values)' },
        destinations: [destination],
      },
    ),
  ]);
}

describe('a derived value', () => {
  it.each([
    ['is inactive', TransformationSet.empty, false],
    ['has another destination now', active('old', 'global_context.other'), false],
    ['was replaced by another one', active('new'), false],
    ['derives it', active('old'), true],
  ])(
    'is marked in the document unless its transformation derives it: that %s',
    (_, set, isActive) => {
      const entry = { value: 7, transformation: 'old' };
      expect(markDerived({ [path]: entry }, set)).toEqual({
        [path]: isActive ? entry : { ...entry, active: false },
      });
    },
  );

  it.each([
    ['in memory', (item: Item) => item],
    ['lazy', (item: Item) => lazyItem(item, () => item.body ?? null)],
  ])('is marked as an item until it is derived again: %s', (_, convert) => {
    const state = { transformation: 'old', visibility: 'record' };
    const item = convert({ ...derivedKey(path), fromVersion: 3, state, body: { path, value: 7 } });
    expect(markItem(item, active('old'))).toBe(item);
    const inactive = markItem(item, active('new'));
    expect(inactive).toEqual({ ...item, state: { ...state, active: false } });
    expect(bodyReaderOf(inactive)).toBe(bodyReaderOf(item));
    expect(markItem(inactive, TransformationSet.empty)).toBe(inactive);
    expect(markItem(inactive, active('old'))).toEqual(item);
  });

  it('overrides a stated value only while its transformation derives it', () => {
    const facts = { fromVersion: 1, state: { visibility: 'record' } };
    const items: readonly Item[] = [
      { ...facts, kind: 'global', key: 'plan', body: { score: 1 } },
      { ...facts, ...derivedKey(path), body: { path, value: 7, from: [], transformation: 'old' } },
    ];
    const valueUnder = (set: TransformationSet) =>
      new PlaceReader(set.places).read(placedPath(path), (kind, key) =>
        items.find((item) => item.kind === kind && item.key === key),
      ).value;
    expect(valueUnder(active('old'))).toBe(7);
    expect(valueUnder(active('new'))).toBe(1);
    expect(valueUnder(TransformationSet.empty)).toBe(1);
  });
});
