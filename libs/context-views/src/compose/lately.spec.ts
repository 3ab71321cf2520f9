import { Lately } from './lately.js';

describe('what was made lately', () => {
  it('is made once while it is asked for, and again once others were asked for more lately', () => {
    const made: string[] = [];
    const lately = new Lately<string>(2);
    const ask = (name: string) =>
      lately.find(name, () => {
        made.push(name);
        return name.toUpperCase();
      });
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });
});
