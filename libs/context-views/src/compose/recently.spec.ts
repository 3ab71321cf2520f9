import { Recently } from './recently.js';

describe('what was made recently', () => {
  it('is not made again while all of it is no larger than stated', () => {
    const made: string[] = [];
    const recently = new Recently<string, number>(10, ({ length }) => length);
    const find = (key: string) => recently.find(key, () => made.push(key));
    for (const key of ['aaaaa', 'bbbbb', 'aaaaa', 'c', 'aaaaa', 'bbbbb']) find(key);
    // What was asked for longest ago is forgotten first.
    expect(made).toEqual(['aaaaa', 'bbbbb', 'c', 'bbbbb']);
  });

  it('is kept by itself if it is larger than that', () => {
    let made = 0;
    const recently = new Recently<string, number>(10, ({ length }) => length);
    for (let n = 0; n < 2; n++) recently.find('a'.repeat(20), () => ++made);
    expect(made).toBe(1);
    recently.find('b', () => ++made);
    recently.find('a'.repeat(20), () => ++made);
    expect(made).toBe(3);
  });
});
