import { openClient } from './client.js';

const refusal = (connectionString: string): unknown => {
  try {
    return openClient(connectionString);
  } catch (error) {
    return error;
  }
};

describe('openClient', () => {
  it('rejects an unreadable connection string by position, without quoting it', () => {
    for (const bad of [
      'esdb://user:secret@',
      'http://user:secret@host',
      'esdb://user:secret@host?tls=perhaps',
    ]) {
      const error = refusal(bad);
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).toMatch(/from character \d+ on, where .+ was expected/);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret');
    }
  });

  it('rejects an option that hides conflicts', () => {
    expect(String(refusal('esdb://h:2113?tls=false&throwOnAppendFailure=false'))).toMatch(
      /leave it out/,
    );
  });

  it('rejects a missing certificate file', () => {
    expect(String(refusal('esdb://h:2113?tlsCAFile=/none/ca.crt'))).toMatch(/not found/);
  });
});
