import { scaleSteps, stepOf, tokensAt } from './budget-scale.js';

describe('the scale of budgets', () => {
  it('begins at 100 tokens, ends at a million, and multiplies by ten in a quarter', () => {
    expect([0, 20, 40, 60, 80].map(tokensAt)).toEqual([100, 1_000, 10_000, 100_000, 1_000_000]);
  });

  it('rounds to two digits, larger at every step, and finds each step again', () => {
    const steps = Array.from({ length: scaleSteps + 1 }, (_, step) => step);
    const tokens = steps.map(tokensAt);
    expect(tokens).toEqual([...new Set(tokens)].toSorted((one, other) => one - other));
    expect(tokens.map(stepOf)).toEqual(steps);
    expect(tokensAt(13)).toBe(450);
  });

  it('bounds other budgets, and begins with a text that is not a number', () => {
    expect([1, 99, 5_000_000, Number('x')].map(stepOf)).toEqual([0, 0, scaleSteps, 0]);
  });
});
