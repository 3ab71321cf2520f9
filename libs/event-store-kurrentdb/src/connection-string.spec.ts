import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeTestDirectory } from '#testing';

import { seedsOf, toClientString } from './connection-string.js';

const refusal = (connectionString: string): unknown => {
  try {
    return toClientString(connectionString);
  } catch (error) {
    return error;
  }
};

describe('toClientString', () => {
  it('preserves the string and limits each call to one attempt to find the leader', () => {
    expect(toClientString(' esdb://u:p%40%3A@a:1,b:2/?tls=false&keepAliveInterval=20000 ')).toBe(
      'esdb://u:p%40%3A@a:1,b:2?tls=false&keepAliveInterval=20000&gossipTimeout=1&maxDiscoverAttempts=1',
    );
    expect(toClientString('esdb+discover://a/')).toBe(
      'esdb+discover://a?gossipTimeout=1&maxDiscoverAttempts=1',
    );
  });

  it('sets a gossip timeout of one second by default', () => {
    expect(toClientString('esdb://a,b?gossip-timeout=3')).toBe(
      'esdb://a,b?gossip-timeout=3&maxDiscoverAttempts=1',
    );
  });

  it('omits the failed endpoint if at least two others remain', () => {
    const hostsOf = (hosts: string, failed: string) =>
      /^esdb:\/\/u:p@(.*)\?/.exec(toClientString(`esdb://u:p@${hosts}?tls=false`, failed))?.[1];
    expect(hostsOf('a:1,b:1,c:1', 'b:1')).toBe('a:1,c:1');
    expect(hostsOf('a,B,c', 'b:2113')).toBe('a,c');
    expect(hostsOf('a:1,b:1,c:1', 'd:1')).toBe('a:1,b:1,c:1');
    expect(hostsOf('a:1,b:1', 'b:1')).toBe('a:1,b:1');
    expect(hostsOf('b:1', 'b:1')).toBe('b:1');
  });

  it('omits or rejects options for which the client would print the password', () => {
    expect(toClientString('esdb://u:secret@a?tlsVerifyCert=false&tls_ca_file=/c')).toBe(
      'esdb://u:secret@a?tls_ca_file=/c&gossipTimeout=1&maxDiscoverAttempts=1',
    );
    const error = refusal('esdb://u:secret@a?tlsCaFlie=/c');
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).toMatch(/no option "tlsCaFlie"/);
    expect(String(error)).not.toContain('secret');
  });

  it('accepts a question mark in the password and never prints the password', () => {
    expect(toClientString('esdb://u:abc?hun=ter2@host:2113?tls=false')).toBe(
      'esdb://u:abc?hun=ter2@host:2113?tls=false&gossipTimeout=1&maxDiscoverAttempts=1',
    );
    expect(seedsOf('esdb://u:abc?hun=ter2@host:2113?tls=false')).toEqual(['host:2113']);
    for (const bad of ['esdb://u:abc?hunter2@host?bad=1', 'esdb://u:abc?hun=ter2@host?b@d=1']) {
      const error = refusal(bad);
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).not.toMatch(/abc|hun|ter2|b@d/);
    }
  });

  it('rejects strings in which a part of the password would become a host', () => {
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

  it('rejects a password that the client would truncate', () => {
    const error = refusal('esdb://u:se:cret@host');
    expect(String(error)).toMatch(/must be written as %3A/);
    expect(String(error)).not.toContain('cret');
    expect(toClientString('esdb://host:2113')).toBe(
      'esdb://host:2113?gossipTimeout=1&maxDiscoverAttempts=1',
    );
  });

  it('inserts the password from passwordFile', async () => {
    const { directory, remove } = await makeTestDirectory();
    const file = join(directory, 'password');
    try {
      await writeFile(file, 'p@ss:w/ord\n');
      expect(toClientString(`esdb://u@a:1?tls=false&passwordFile=${file}`)).toBe(
        'esdb://u:p%40ss%3Aw%2Ford@a:1?tls=false&gossipTimeout=1&maxDiscoverAttempts=1',
      );
      await writeFile(file, ' spaces count \r\n');
      expect(toClientString(`esdb://u@a?passwordFile=${file}`)).toContain(
        'u:%20spaces%20count%20@a',
      );
      await writeFile(file, 'other');
      expect(toClientString(`esdb+discover://u@a?password_file=${file}`)).toContain('u:other@a');
      for (const account of ['', 'u:secret@'])
        expect(String(refusal(`esdb://${account}a?passwordFile=${file}`))).toBe(
          'RangeError: passwordFile goes with a user and without a password: esdb://user@host',
        );
      await writeFile(file, '\n');
      expect(String(refusal(`esdb://u@a?passwordFile=${file}`))).toMatch(/holds no password$/);
      expect(String(refusal(`esdb://u@a?passwordFile=${file}-none`))).toBe(
        'RangeError: passwordFile cannot be read (ENOENT)',
      );
    } finally {
      await remove();
    }
  });

  it('lists the nodes', () => {
    expect(seedsOf('esdb://u:p@A:1,b/?tls=false')).toEqual(['a:1', 'b:2113']);
    expect(seedsOf('esdb+discover://u@name')).toEqual(['name:2113']);
  });

  it('rejects malformed options', () => {
    for (const bad of [
      'esdb://u:secret@a?tls',
      'esdb://a?tls=',
      'esdb://a?',
      'esdb://a?tls=false&',
    ])
      expect(String(refusal(bad))).toBe('RangeError: options are written ?key=value&key=value');
  });
});
