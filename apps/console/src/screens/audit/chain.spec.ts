import { type Chain, causeOf, shortResult, validRange } from './chain.js';

const valid: Chain = { contextId: 'a', events: 5, lastHash: 'ff', broken: null };
const broken: Chain = { ...valid, events: 1, broken: { version: 2, reason: 'wrong-hash' } };

describe('the result of a verification', () => {
  it('is short in a list', () => {
    expect(shortResult(valid)).toBe('valid, 5 events');
    expect(shortResult({ ...valid, events: 1 })).toBe('valid, 1 event');
    expect(shortResult(broken)).toBe('broken at version 2');
  });

  it.each([
    [0, 'No event before it is valid.'],
    [1, 'Version 1 is valid.'],
    [7, 'Versions 1 to 7 are valid.'],
  ])('names the valid range of %i events', (events, words) => {
    expect(validRange({ ...broken, events })).toBe(words);
  });

  it('explains how a chain was broken', () => {
    expect(causeOf('gap')).toMatch(/removed/);
    expect(causeOf('wrong-hash')).toMatch(/changed/);
  });
});
