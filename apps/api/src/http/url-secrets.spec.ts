import { apiEndpoints } from '../api.module.js';
import { queryProperties } from '../documentation/json-schema.js';
import { secretNames } from './url-secrets.hook.js';

describe('names under which clients pass keys', () => {
  it('are those of no parameter', () => {
    const named = apiEndpoints.flatMap(({ query }) => queryProperties(query).map(([name]) => name));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => secretNames.has(name.toLowerCase()))).toEqual([]);
  });
});
