import { shownAudiences, toggled } from './shown-audiences.js';

const audiences = ['all', 'b', 'c', 'd', 'e', 'f', 'g'];

describe('the compared audiences', () => {
  it('are the first ones if the address names none that exists', () => {
    expect(shownAudiences(null, audiences)).toEqual(['all', 'b', 'c', 'd', 'e', 'f']);
    expect(shownAudiences('x', audiences)).toHaveLength(6);
  });

  it('are those of the address, in the order of the list', () => {
    expect(shownAudiences('g,all,x', audiences)).toEqual(['all', 'g']);
  });

  it('gain or lose the one that was toggled', () => {
    expect(toggled('c', ['all', 'd'], audiences)).toBe('all,c,d');
    expect(toggled('d', ['all', 'd'], audiences)).toBe('all');
  });
});
