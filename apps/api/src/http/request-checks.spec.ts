import { apiEndpoints } from '../api.module.js';
import { queryProperties } from '../documentation/json-schema.js';
import { isSecretName, refuseRepeatedHeaders, singleHeaders } from './request-checks.js';

describe('parameter names for secrets', () => {
  it('are not the names of any query parameter', () => {
    const named = apiEndpoints.flatMap(({ query }) => queryProperties(query).map(([name]) => name));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(isSecretName)).toEqual([]);
  });

  it.each([
    'key',
    'token',
    'access_token',
    'accessToken',
    'API_KEY',
    'x-api-key',
    'X-Auth-Token',
    'Authorization',
    'api.key',
    'apiKey',
    'secret',
  ])('are recognized in every spelling: %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['', 'x', 'keyword', 'tokenizer', 'cursor'])('do not include %p', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('headers that a request may contain at most once', () => {
  it.each(Object.entries(singleHeaders))(
    '%s is refused if it is repeated, in any case',
    (name, stage) => {
      const once = { rawHeaders: [name, 'a', 'x', 'b', 'Y', name] };
      expect(() => refuseRepeatedHeaders(once, stage)).not.toThrow();
      const twice = { rawHeaders: [name, 'a', 'x', 'b', name.toUpperCase(), 'a'] };
      expect(() => refuseRepeatedHeaders(twice, stage)).toThrow(/ is sent more than once$/);
    },
  );

  it.each(['accept', 'if-none-match', 'x-anything', '__proto__', 'constructor'])(
    '%s may be repeated',
    (name) => {
      const twice = { rawHeaders: [name, 'a', name, 'b'] };
      for (const stage of ['message', 'request'] as const)
        expect(() => refuseRepeatedHeaders(twice, stage)).not.toThrow();
    },
  );
});
