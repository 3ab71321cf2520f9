import { warningOf } from './context-row.js';

describe('the size warning of a context', () => {
  it.each([
    [0, null],
    [39_999, null],
    [40_000, 'near-token-threshold'],
    [50_000, 'near-token-threshold'],
    [50_001, 'over-token-threshold'],
  ])('at %i of 50,000 tokens is %j', (tokens, code) => {
    expect(warningOf(tokens, 50_000)).toEqual(code && { code, tokens, threshold: 50_000 });
  });
});
