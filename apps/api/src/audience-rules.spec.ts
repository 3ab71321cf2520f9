import { apiEndpoints } from './api.module.js';
import { paramNames } from './http/path-params.js';

const contextEndpoints = apiEndpoints.filter(({ path }) => path.startsWith('/v1/contexts'));

describe('audience rules of the endpoints', () => {
  it('are never "none" for an endpoint that reads or writes a context', () => {
    expect(contextEndpoints.length).toBeGreaterThan(20);
    expect(contextEndpoints.filter(({ audience }) => audience === 'none')).toEqual([]);
  });

  it('are "written" for no GET endpoint', () => {
    const written = apiEndpoints.filter(({ audience }) => audience === 'written');
    expect(written.filter(({ method }) => method === 'GET')).toEqual([]);
  });

  it('allow the parameter "audience" in every gated read of a context', () => {
    const reads = contextEndpoints.filter(
      ({ method, path, audience }) =>
        method === 'GET' && audience === 'gated' && paramNames(path).includes('contextId'),
    );
    const refuse = reads.filter(({ query }) =>
      query
        ?.safeParse({ audience: 'reviewer' })
        .error?.issues.some(({ code }) => code === 'unrecognized_keys'),
    );
    expect(refuse.map(({ path }) => path)).toEqual([]);
    expect(reads.filter(({ query }) => !query).map(({ path }) => path)).toEqual([]);
  });
});
