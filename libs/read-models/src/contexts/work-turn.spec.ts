import { WorkTurn } from './work-turn.js';

/** How often others have their turn between so many texts. */
const turnsOf = (texts: number, characters: number) => {
  const turn = new WorkTurn();
  return Array.from({ length: texts }).filter(() => turn.isOver(characters)).length;
};

describe('the turn of work', () => {
  it('ends after so many characters, and after so many texts however short they are', () => {
    expect(turnsOf(10, 1_048_576)).toBe(10);
    expect(turnsOf(1_000, 10)).toBe(0);
    expect(turnsOf(20_000, 0)).toBeGreaterThan(5);
  });

  it('ends as often again for as much work again', () => {
    for (const characters of [0, 100, 10_000, 300_000]) {
      const [once, twice] = [turnsOf(10_000, characters), turnsOf(20_000, characters)];
      expect(twice).toBeGreaterThanOrEqual(2 * once);
      expect(twice).toBeLessThanOrEqual(2 * once + 1);
    }
  });
});
