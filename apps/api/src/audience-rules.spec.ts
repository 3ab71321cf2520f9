import { apiEndpoints } from './api.module.js';
import { paramNames } from './http/path-params.js';

const ofContexts = apiEndpoints.filter(({ path }) => path.startsWith('/v1/contexts'));

describe('the audience rules of the endpoints', () => {
  it('are more than "none" wherever a context is read or written', () => {
    expect(ofContexts.length).toBeGreaterThan(20);
    expect(ofContexts.filter(({ audience }) => audience === 'none')).toEqual([]);
  });

  it("call nothing an answer to one's own writing that is a read", () => {
    const written = apiEndpoints.filter(({ audience }) => audience === 'written');
    expect(written.filter(({ method }) => method === 'GET')).toEqual([]);
  });

  it('let the audience be named in every gated read of a context', () => {
    const reads = ofContexts.filter(
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
