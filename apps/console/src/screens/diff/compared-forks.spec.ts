import { originOf } from '../context/origin.js';
import { commonVersions } from './compared-forks.js';

const forkOf = (contextId: string, source: string, version: number) =>
  originOf(contextId, { type: 'ContextForked', data: { source: { contextId: source, version } } });
const created = (contextId: string) => originOf(contextId, { type: 'ContextCreated', data: {} });

describe('commonVersions', () => {
  it('of a fork and its source are version 1 and the forked version', () => {
    expect(commonVersions(forkOf('b', 'a', 7), created('a'))).toEqual({ here: 1, there: 7 });
    expect(commonVersions(created('a'), forkOf('b', 'a', 7))).toEqual({ here: 7, there: 1 });
  });

  it('of two forks exist only if both were made from the same version', () => {
    expect(commonVersions(forkOf('b', 'a', 7), forkOf('c', 'a', 7))).toEqual({ here: 1, there: 1 });
    expect(commonVersions(forkOf('b', 'a', 7), forkOf('c', 'a', 8))).toBeUndefined();
  });

  it('do not exist for unrelated contexts, or if the first event is hidden', () => {
    expect(commonVersions(created('a'), created('b'))).toBeUndefined();
    expect(commonVersions(originOf('a', undefined), originOf('b', undefined))).toBeUndefined();
  });
});
