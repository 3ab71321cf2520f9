import { boundedBody } from './bounded-body.js';

function openSource() {
  let isCancelled = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (started) => void (controller = started),
    cancel: () => void (isCancelled = true),
  });
  const send = (...bytes: number[]) => {
    for (const byte of bytes) controller?.enqueue(Uint8Array.of(byte));
  };
  return { stream, send, close: () => controller?.close(), isCancelled: () => isCancelled };
}

describe('a bounded body', () => {
  it('forwards any number of chunks to a reader that keeps up', async () => {
    const source = openSource();
    const ended = Promise.withResolvers<void>();
    const body = boundedBody(source.stream, 2, ended.resolve);
    const received: number[] = [];
    source.send(0);
    for await (const [byte = 0] of body) {
      received.push(byte);
      if (byte < 9) source.send(byte + 1);
      else source.close();
    }
    expect(received).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await ended.promise;
  });

  it('fails if its reader leaves too many chunks unread', async () => {
    const source = openSource();
    const cut = Promise.withResolvers<void>();
    const body = boundedBody(source.stream, 2, cut.resolve);
    source.send(1, 2, 3);
    await cut.promise;
    await expect(body.getReader().read()).rejects.toThrow(/too slow/);
  });

  it('cancels its source when its reader cancels', async () => {
    const source = openSource();
    const ended = Promise.withResolvers<void>();
    await boundedBody(source.stream, 2, ended.resolve).cancel();
    await ended.promise;
    expect(source.isCancelled()).toBe(true);
  });
});
