import { toClientString } from './connection-string.js';

const refusal = (connectionString: string): unknown => {
  try {
    return toClientString(connectionString);
  } catch (error) {
    return error;
  }
};

describe('what the client is given of a connection string', () => {
  it('is what was written, with one look for a leader for each call', () => {
    expect(toClientString(' esdb://u:p%40%3A@a:1,b:2/?tls=false&keepAliveInterval=20000 ')).toBe(
      'esdb://u:p%40%3A@a:1,b:2?tls=false&keepAliveInterval=20000&maxDiscoverAttempts=1',
    );
    expect(toClientString('esdb+discover://a/')).toBe('esdb+discover://a?maxDiscoverAttempts=1');
  });

  it('is nothing that it would print the password beside', () => {
    expect(toClientString('esdb://u:secret@a?tlsVerifyCert=false&tls_ca_file=/c')).toBe(
      'esdb://u:secret@a?tls_ca_file=/c&maxDiscoverAttempts=1',
    );
    const error = refusal('esdb://u:secret@a?tlsCaFlie=/c');
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).toMatch(/no option "tlsCaFlie"/);
    expect(String(error)).not.toContain('secret');
  });

  it('is no part of a password as a host', () => {
    for (const bad of [
      'esdb://u:se@cret@host:2113',
      'esdb://u@host',
      'esdb://u:@cret@host?tls=false',
    ]) {
      const error = refusal(bad);
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).not.toContain('cret');
    }
  });

  it('is no password that the client would cut off', () => {
    const error = refusal('esdb://u:se:cret@host');
    expect(String(error)).toMatch(/must be written as %3A/);
    expect(String(error)).not.toContain('cret');
    expect(toClientString('esdb://host:2113')).toBe('esdb://host:2113?maxDiscoverAttempts=1');
  });

  it('is no option that is not one', () => {
    for (const bad of [
      'esdb://u:secret@a?tls',
      'esdb://a?tls=',
      'esdb://a?',
      'esdb://a?tls=false&',
    ])
      expect(String(refusal(bad))).toBe('RangeError: options are written ?key=value&key=value');
  });
});
