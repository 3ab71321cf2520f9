import { InvalidInputError } from '../errors.js';
import { searchOf } from './context-search.js';

describe('a search by a part of documents', () => {
  it('accepts 32 parts and no more', () => {
    const preferences = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]));
    const ask = (count: number) => searchOf({ contains: { userPreferences: preferences(count) } });
    expect(ask(32)?.parts).toHaveLength(32);
    expect(() => ask(33)).toThrow(InvalidInputError);
  });
});
