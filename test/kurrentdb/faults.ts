import { Gate } from './gate.js';
import { type Position } from './log-record.js';
import type { StreamEnd } from '../../libs/testing/src/test-kurrentdb.protocol.js';

const uint64Max = 2n ** 64n - 1n;

/** What happens to an append instead of being stored and answered. */
export type AppendFault = Readonly<{ isStored: boolean; end: StreamEnd | 'never' }>;

/** The faults that are not of one node, as they are switched at the moment. */
export class Faults {
  readonly subscriptions = new Gate();
  /** Kestrel's MinResponseDataRate: who takes nothing for its grace period loses the connection. */
  slowConsumerMs = 5_000;
  abortedConnections = 0;
  /** How long a read through a filter takes to find something. */
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
