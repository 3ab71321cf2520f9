import { type LongPolls } from '../long-polls/long-polls.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { OpenStream } from './open-stream.js';
import { OpenStreams, maxStreams } from './open-streams.js';

const access = { epoch: 'e', policy: null, rootKey: null };
const client = new AbortController().signal;

function streamOf(keyId: string | null): OpenStream {
  return new OpenStream({ ...rootPrincipal('default'), keyId }, access, client);
}

function openStreams(maxOfKey: number): OpenStreams {
  return new OpenStreams({ watch: () => undefined } as unknown as LongPolls, {
    maxOfKey,
    counted: () => undefined,
  });
}

describe('open streams', () => {
  it.each([null, 'a'])('are limited per key (%s)', (keyId) => {
    const streams = openStreams(2);
    const first = streamOf(keyId);
    for (const stream of [first, streamOf(keyId)]) streams.add(stream);
    expect(() => streams.add(streamOf(keyId))).toThrow('this key has 2 streams open');
    streams.add(streamOf('another'));
    streams.delete(first);
    streams.add(streamOf(keyId));
    expect(streams.count).toBe(3);
  });

  it('are limited in all', () => {
    const streams = openStreams(10_000);
    for (let n = 0; n < maxStreams; n++) streams.add(streamOf(`key ${n}`));
    expect(() => streams.add(streamOf('one more'))).toThrow('this server has 10000 streams open');
  });

  it('end with their key, while those of other keys continue', () => {
    const streams = openStreams(10);
    const [ended, other] = [streamOf('a'), streamOf('b')];
    for (const stream of [ended, other]) streams.add(stream);
    streams.endKey('a', new Error('revoked'));
    expect([ended.signal.aborted, other.signal.aborted]).toEqual([true, false]);
  });
});
