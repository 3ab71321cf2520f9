import { Gate } from './gate.js';
import { type Position } from './log-record.js';
import type { StreamEnd } from '../../libs/testing/src/test-kurrentdb.protocol.js';

const uint64Max = 2n ** 64n - 1n;

/** The fault that happens to an append, instead of storing and answering it. */
export type AppendFault = Readonly<{ isStored: boolean; end: StreamEnd | 'never' }>;

/** The active faults that are not specific to one node. */
export class Faults {
  readonly subscriptions = new Gate();
  /** Kestrel's MinResponseDataRate: a client that does not read for this grace period loses the connection. */
  slowConsumerMs = 5_000;
  abortedConnections = 0;
  /** The duration of a filtered read until its first result. */
  searchMs = 0;
  dropAnswers = 0;
  repeatEvents = 0;
  badCheckpoints = 0;
  endNextAppend: AppendFault | undefined;

  takeAppendFault(): AppendFault | undefined {
    const next = this.endNextAppend;
    this.endNextAppend = undefined;
    if (next || this.dropAnswers === 0) return next;
    this.dropAnswers -= 1;
    return { isStored: true, end: 'never' };
  }

  takeDeliveries(): number {
    if (this.repeatEvents === 0) return 1;
    this.repeatEvents -= 1;
    return 2;
  }

  takeBadCheckpoint(): Position | undefined {
    if (this.badCheckpoints === 0) return undefined;
    this.badCheckpoints -= 1;
    return { commit: uint64Max, prepare: uint64Max };
  }
}
