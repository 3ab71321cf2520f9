import { pageOfAudiences } from './policy-page.js';

const small = (audience: string) => ({ audience, bytes: 100 });
const large = (audience: string) => ({ audience, bytes: 500 * 1024 });
const huge = (audience: string) => ({ audience, bytes: 600 * 1024 });

describe('a page of audiences', () => {
  it('continues after its last audience, and ends with the last one', () => {
    const audiences = ['c', 'a', 'b'].map(small);
    const first = pageOfAudiences(audiences, { limit: 2 });
    expect(first.items).toEqual(['a', 'b']);
    expect(pageOfAudiences(audiences, { limit: 2, cursor: first.nextCursor ?? '' })).toEqual({
      items: ['c'],
      nextCursor: null,
    });
  });

  it('ends before its policies are too large', () => {
    const page = pageOfAudiences([small('a'), large('b'), large('c')], { limit: 50 });
    expect(page.items).toEqual(['a', 'b']);
    expect(page.nextCursor).not.toBeNull();
  });

  it('has one audience even if its policy is larger than a page', () => {
    const page = pageOfAudiences([huge('a'), small('b')], { limit: 50 });
    expect(page.items).toEqual(['a']);
  });

  it('refuses a cursor of another list', () => {
    expect(() => pageOfAudiences([], { limit: 1, cursor: 'x' })).toThrow(
      'is not a cursor of this list',
    );
  });
});
