import { matchPath } from './match-path.js';

describe('matchPath', () => {
  it.each([
    ['/contexts/:contextId', '/contexts/login', { contextId: 'login' }],
    ['/contexts/:contextId/view', '/contexts/a%2Fb/view', { contextId: 'a/b' }],
    ['/', '/', {}],
  ])('%s matches %s', (pattern, path, expected) => {
    expect(matchPath(pattern, path)).toEqual(expected);
  });

  it.each([
    ['/contexts/:contextId', '/contexts'],
    ['/contexts/:contextId', '/contexts/a/b'],
    ['/inbox', '/runs'],
    ['/contexts/:contextId', '/contexts/%E0%A4%A'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matchPath(pattern, path)).toBeUndefined();
  });
});
