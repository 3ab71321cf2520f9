/**
 * The same stream, of which the reader may leave `most` chunks unread; the stream of a slower reader fails. `ended` is called when
 * nothing more will be read, for whichever reason.
 */
export function boundedBody(
  source: ReadableStream<Uint8Array>,
  most: number,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void forward(reader, controller).finally(ended),
      cancel: (reason) => {
        ended();
        return reader.cancel(reason);
      },
    },
    new CountQueuingStrategy({ highWaterMark: most }),
  );
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Does not wait until its reader takes what was forwarded: the source would hold it, without a limit. */
async function forward(reader: Reader, controller: Controller): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      if ((controller.desiredSize ?? 0) < 0) break;
    }
    controller.error(new Error('the reader takes too little of what is sent'));
  } catch (error) {
    // If the reader has cancelled, this has no effect.
    controller.error(error);
  }
}
