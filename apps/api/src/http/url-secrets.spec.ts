import { apiEndpoints } from '../api.module.js';
import { queryProperties } from '../documentation/json-schema.js';
import { isSecretName } from './url-secrets.hook.js';

describe('names under which clients pass keys', () => {
  it('are those of no parameter', () => {
    const named = apiEndpoints.flatMap(({ query }) => queryProperties(query).map(([name]) => name));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(isSecretName)).toEqual([]);
  });

  it.each([
    ...['key', 'token', 'access_token', 'accessToken', 'API_KEY', 'x-api-key', 'X-Auth-Token'],
    ...['Authorization', 'api.key', 'apiKey', 'secret'],
  ])('are found however they are written: %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['', 'x', 'keyword', 'tokenizer', 'cursor'])('are no others: %p', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
