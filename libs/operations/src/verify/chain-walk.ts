import { type ChainBreak, type ChainEnd, type ChainedEvent, checkChain } from '#event-sourcing';
import { sha256 } from '#read-models';
import { type ContextId, contextOfStream } from '#shared-context';

const maxFindings = 100;

/**
 * The first fault of a stream. `foreign-stream`: it does not belong to a context; `no-stream`: its name is missing; `hidden`: its
 * events are in the log, but reads of the stream do not return them.
 */
type ChainFinding = Readonly<{
  stream: string;
  version: number;
  reason: ChainBreak['reason'] | 'foreign-stream' | 'no-stream' | 'hidden';
}>;

export type ChainVerdict = Readonly<{
  streams: number;
  events: number;
  /** The number of broken streams; `findings` lists the first hundred. */
  broken: number;
  findings: readonly ChainFinding[];
}>;

/** Checks the hash chains of any number of streams, and collects the findings. */
export class ChainWalk {
  #streams = 0;
  #events = 0;
  #broken = 0;
  readonly #findings: ChainFinding[] = [];

  /** `stream` is the name, or null if it is missing; `number` then identifies the stream. */
  begin(stream: string | null, number: string): StreamChain {
    this.#streams++;
    return new StreamChain(stream, {
      onEvent: () => this.#events++,
      onBreak: (version, reason) => {
        this.#broken++;
        if (this.#findings.length < maxFindings)
          this.#findings.push({ stream: stream ?? number, version, reason });
      },
    });
  }

  verdict(): ChainVerdict {
    return {
      streams: this.#streams,
      events: this.#events,
      broken: this.#broken,
      findings: this.#findings,
    };
  }
}

type ChainListener = Readonly<{
  onEvent: () => void;
  onBreak: (version: number, reason: ChainFinding['reason']) => void;
}>;

/** The hash chain of one stream; stores only its end. */
export class StreamChain {
  readonly #owner: ContextId | undefined;
  #isBroken = false;
  #end: ChainEnd = { version: 0, hash: null };

  constructor(
    private readonly stream: string | null,
    private readonly listener: ChainListener,
  ) {
    this.#owner = stream === null ? undefined : contextOfStream(stream);
  }

  /** Events after the first broken link are counted, not checked. */
  take(event: ChainedEvent): void {
    this.listener.onEvent();
    if (this.#isBroken) return;
    const reason = this.#follow(event);
    if (reason !== null) this.break(this.#end.version + 1, reason);
  }

  break(version: number, reason: ChainFinding['reason']): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.listener.onBreak(version, reason);
  }

  #follow(event: ChainedEvent): ChainFinding['reason'] | null {
    if (this.stream === null) return 'no-stream';
    if (!this.#owner) return 'foreign-stream';
    const owner = { workspace: this.#owner.workspace, context: this.#owner.contextId };
    const { end, broken } = checkChain([event], this.#end, owner, sha256);
    this.#end = end;
    return broken?.reason ?? null;
  }
}
