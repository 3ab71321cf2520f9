import { Injectable } from '@nestjs/common';

import { type Principal } from '../access/principal.js';
import { KeyEndedError } from '../errors.js';
import { ContextChanges } from '../long-polls/context-changes.js';
import { StreamAccessWatch } from './stream-access-watch.js';
import { type LiveStream, type StreamFrame } from './live-stream.messages.js';
import { OpenStream } from './open-stream.js';
import { OpenStreams } from './open-streams.js';

/** How long clients may receive buffered frames after the server has begun to stop. */
const stoppingMs = 1_000;

type OpenRequest = Readonly<{
  principal: Principal;
  audience?: string | undefined;
  signal: AbortSignal;
}>;

/** The source of a stream: `frames` may throw once the stream must end; `leave` is called when it has ended. */
export type FrameSource = Readonly<{
  frames: AsyncGenerator<StreamFrame, void>;
  leave: () => void;
}>;

/** Opens streams within the limits of open streams. */
@Injectable()
export class LiveStreams {
  constructor(
    private readonly streams: OpenStreams,
    private readonly access: StreamAccessWatch,
    changes: ContextChanges,
  ) {
    changes.onStop(() => setTimeout(() => this.#endAll(), stoppingMs).unref());
  }

  /** `begin` must throw to refuse the request. */
  async open(
    { principal, audience, signal }: OpenRequest,
    begin: (stream: OpenStream) => Promise<FrameSource>,
  ): Promise<LiveStream> {
    const access = await this.access.read(principal, audience);
    const stream = new OpenStream(principal, access, signal);
    this.streams.add(stream);
    try {
      const { frames, leave } = await begin(stream);
      const close = once(() => {
        leave();
        this.#close(stream);
      });
      // Closes the stream even if its frames are not read.
      stream.signal.addEventListener('abort', close, { once: true });
      if (stream.signal.aborted) close();
      return { frames: untilEnd(stream, frames, close), signal: stream.signal, close };
    } catch (error) {
      this.#close(stream);
      throw error;
    }
  }

  #endAll(): void {
    for (const stream of Array.from(this.streams.all())) stream.end(new Error('the server stops'));
  }

  #close(stream: OpenStream): void {
    this.streams.delete(stream);
    stream.close();
  }
}

async function* untilEnd(
  stream: OpenStream,
  frames: AsyncGenerator<StreamFrame, void>,
  close: () => void,
): AsyncGenerator<StreamFrame, void> {
  try {
    yield* framesOf(stream, frames);
    if (stream.reset) yield { type: 'reset', reason: stream.reset };
  } finally {
    close();
  }
}

/** Ends instead of throwing if the stream must end. */
async function* framesOf(
  { signal }: OpenStream,
  frames: AsyncGenerator<StreamFrame, void>,
): AsyncGenerator<StreamFrame, void> {
  try {
    for await (const frame of frames) {
      if (signal.aborted) return;
      yield frame;
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof KeyEndedError)) throw error;
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
