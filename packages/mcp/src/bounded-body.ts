/**
 * Returns the same stream, which fails if the reader leaves more than `maxUnread` chunks unread. `ended` is called when no more
 * chunks will be read, for any reason.
 */
export function boundedBody(
  source: ReadableStream<Uint8Array>,
  maxUnread: number,
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
    new CountQueuingStrategy({ highWaterMark: maxUnread }),
  );
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Does not wait for the reader: otherwise the source would buffer chunks without a limit. */
async function forward(reader: Reader, controller: Controller): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      if ((controller.desiredSize ?? 0) < 0) break;
    }
    controller.error(new Error('the reader is too slow'));
  } catch (error) {
    // If the reader has cancelled, this has no effect.
    controller.error(error);
  }
}
