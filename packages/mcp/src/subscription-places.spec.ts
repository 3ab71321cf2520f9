import { SubscriptionPlaces } from './subscription-places.js';

describe('places of subscriptions', () => {
  const taken = (place: (() => void) | string) => typeof place === 'function';

  it('are left to others by a holder that takes as many as it may', () => {
    const places = new SubscriptionPlaces({ most: 4, mostOfHolder: 2 });
    expect(taken(places.take('greedy'))).toBe(true);
    expect(taken(places.take('greedy'))).toBe(true);
    expect(places.take('greedy')).toBe('This key has 2 subscriptions open, as many as it may');
    expect(taken(places.take('other'))).toBe(true);
  });

  it('are limited in all, and given back once', () => {
    const places = new SubscriptionPlaces({ most: 2, mostOfHolder: 2 });
    const release = places.take('a');
    expect(taken(places.take('b'))).toBe(true);
    expect(places.take('c')).toBe('Too many subscriptions are open');
    if (typeof release === 'string') throw new Error(release);
    release();
    release();
    expect(taken(places.take('c'))).toBe(true);
    expect(taken(places.take('d'))).toBe(false);
  });
});
