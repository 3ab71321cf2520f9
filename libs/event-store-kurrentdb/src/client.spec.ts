import { openClient } from './client.js';

const refusal = (connectionString: string): unknown => {
  try {
    return openClient(connectionString);
  } catch (error) {
    return error;
  }
};

describe('a connection string', () => {
  it('that cannot be read is refused by place, and not quoted', () => {
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

  it('that hides conflicts is refused', () => {
    expect(String(refusal('esdb://h:2113?tls=false&throwOnAppendFailure=false'))).toMatch(
      /leave it out/,
    );
  });

  it('that names a certificate which is not there is refused', () => {
    expect(String(refusal('esdb://h:2113?tlsCAFile=/none/ca.crt'))).toMatch(/not found/);
  });
});
