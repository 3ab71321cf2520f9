import { rangeIn, rangeParameters } from './range.js';

describe('rangeIn', () => {
  it.each<[string, number, number]>([
    ['', 7, 8],
    ['from=2', 2, 8],
    ['from=0&to=3', 0, 3],
    ['to=3', 2, 3],
    ['from=5&to=3', 2, 3],
    ['from=-1&to=99', 7, 8],
    ['from=x&to=1.5', 7, 8],
  ])('of "%s" returns %i to %i at version 8 of 9', (address, from, to) => {
    expect(rangeIn(new URLSearchParams(address), { version: 8, newest: 9 })).toEqual({ from, to });
  });
});

describe('rangeParameters', () => {
  it('leaves out the version of the slider', () => {
    expect(rangeParameters({ from: '2', to: '8' }, 8)).toEqual({ from: '2', to: undefined });
    expect(rangeParameters({ from: '2', to: '7' }, 8)).toEqual({ from: '2', to: '7' });
  });
});
