import { SubscriptionPlaces } from './subscription-places.js';

describe('places of subscriptions', () => {
  const taken = (place: (() => void) | string) => typeof place === 'function';

  it('remain for others if one holder uses up its limit', () => {
    const places = new SubscriptionPlaces({ maxTotal: 4, maxOfHolder: 2 });
    expect(taken(places.take('greedy', 1))).toBe(true);
    expect(taken(places.take('greedy', 1))).toBe(true);
    expect(places.take('greedy', 1)).toBe(
      'This key has 2 of at most 2 subscriptions open: end one first',
    );
    expect(taken(places.take('other', 1))).toBe(true);
  });

  it('are counted by the resources of a subscription', () => {
    const places = new SubscriptionPlaces({ maxTotal: 30, maxOfHolder: 25 });
    const release = places.take('a', 20);
    expect(taken(places.take('a', 6))).toBe(false);
    expect(taken(places.take('b', 11))).toBe(false);
    if (typeof release === 'string') throw new Error(release);
    release();
    expect(taken(places.take('a', 25))).toBe(true);
    expect(taken(places.take('b', 6))).toBe(false);
    expect(taken(places.take('b', 0))).toBe(true);
  });

  it('are limited in total, and released once', () => {
    const places = new SubscriptionPlaces({ maxTotal: 2, maxOfHolder: 2 });
    const release = places.take('a', 1);
    expect(taken(places.take('b', 1))).toBe(true);
    expect(places.take('c', 1)).toBe('Too many subscriptions are open');
    if (typeof release === 'string') throw new Error(release);
    release();
    release();
    expect(taken(places.take('c', 1))).toBe(true);
    expect(taken(places.take('d', 1))).toBe(false);
  });
});
