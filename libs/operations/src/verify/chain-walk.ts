import { type ChainBreak, type ChainEnd, type ChainedEvent, checkChain } from '#event-sourcing';
import { sha256 } from '#read-models';
import { type ContextId, contextOfStream } from '#shared-context';

const maxFindings = 100;

/**
 * Where a stream first breaks; `foreign-stream` is of no context, `no-stream` has no name any more, `hidden` is in the
 * log and not shown by reads of the stream.
 */
type ChainFinding = Readonly<{
  stream: string;
  version: number;
  reason: ChainBreak['reason'] | 'foreign-stream' | 'no-stream' | 'hidden';
}>;

export type ChainVerdict = Readonly<{
  streams: number;
  events: number;
  /** How many streams are broken; `findings` names the first hundred. */
  broken: number;
  findings: readonly ChainFinding[];
}>;

/** Follows the chains of any number of streams, and keeps what was found. */
export class ChainWalk {
  #streams = 0;
  #events = 0;
  #broken = 0;
  readonly #findings: ChainFinding[] = [];

  /** `stream` is its name, or null with a number by which it can still be told. */
  begin(stream: string | null, number: string): StreamChain {
    this.#streams++;
    return new StreamChain(stream, {
      taken: () => this.#events++,
      broken: (version, reason) => {
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
  taken: () => void;
  broken: (version: number, reason: ChainFinding['reason']) => void;
}>;

/** No more of a stream than where its chain ends. */
export class StreamChain {
  readonly #owner: ContextId | undefined;
  #isBroken = false;
  #end: ChainEnd = { version: 0, hash: null };

  constructor(
    private readonly stream: string | null,
    private readonly told: ChainListener,
  ) {
    this.#owner = stream === null ? undefined : contextOfStream(stream);
  }

  /** What lies behind a break says nothing more. */
  take(event: ChainedEvent): void {
    this.told.taken();
    if (this.#isBroken) return;
    const reason = this.#follow(event);
    if (reason !== null) this.break(this.#end.version + 1, reason);
  }

  break(version: number, reason: ChainFinding['reason']): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.told.broken(version, reason);
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
