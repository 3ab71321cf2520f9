// What a test and the stand-in server say to each other: a line of JSON each, one answer for one fault.

/** The one argument of the program, as JSON. */
export type StandInSettings = Readonly<{
  nodes: number;
  /** What it says of itself; it behaves the same whatever it says. */
  serverVersion: string;
  /** One append may hold so many bytes. */
  maxAppendSize: number;
  /** How long after it was written an event is committed, so that reads show it and its append is answered. */
  commitLatencyMs: number;
  /** Paths of PEM files. Without them there is no TLS and everybody may do everything. */
  tls?: Readonly<{ certFile: string; keyFile: string }>;
  users: readonly Readonly<{ login: string; password: string; groups: readonly string[] }>[];
}>;

/** The first line of the program. */
export type StandInReady = Readonly<{ ready: Readonly<{ ports: readonly number[] }> }>;

export type StreamEnd = 'ok' | 'cancelled' | 'unavailable';

/** Nodes are counted from 0. */
export type Fault =
  /** The node takes calls and answers nothing, as a process that is paused, until it is lifted. */
  | Readonly<{ fault: 'silence'; node: number; isOn: boolean }>
  /** The next appends are stored and never answered. */
  | Readonly<{ fault: 'drop-answers'; count: number }>
  /**
   * The next append, stored or not, ends its call so instead of being answered. Only a batched append can end with
   * OK; another is cancelled then.
   */
  | Readonly<{ fault: 'end-next-append'; end: StreamEnd; isStored: boolean }>
  /** Ends the open streams of batched appends with OK, answered or not. */
  | Readonly<{ fault: 'end-append-streams' }>
  | Readonly<{ fault: 'cut-subscriptions'; end: StreamEnd }>
  /** Subscriptions, those to come too, stay open and deliver nothing until it is lifted. */
  | Readonly<{ fault: 'stall-subscriptions'; isOn: boolean }>
  /** Each of the next events of subscriptions is delivered twice. */
  | Readonly<{ fault: 'repeat-events'; count: number }>
  /**
   * Another `commitLatencyMs` for what is written from now on; whatever waits is committed at once when it is 0. Appends
   * that wait for longer than two seconds end as ABORTED.
   */
  | Readonly<{ fault: 'slow-commits'; milliseconds: number }>
  /** Another node, the one named or the next, becomes leader; the old one ends its streams so. */
  | Readonly<{ fault: 'lose-leader'; end: Exclude<StreamEnd, 'ok'>; to?: number }>
  /** The node serves the log as it is now, until it is lifted. */
  | Readonly<{ fault: 'freeze'; node: number; isOn: boolean }>
  /** The account has another password from now on. */
  | Readonly<{ fault: 'change-password'; login: string; password: string }>
  /** The name of the leader, as followers and gossip give it, is this one, which leads nowhere. */
  | Readonly<{ fault: 'advertise'; node: number; host: string }>
  /** The leader serves reads and takes no appends until it is lifted; with `freeze`, reads show what it has so far. */
  | Readonly<{ fault: 'pre-leader'; isOn: boolean }>
  /** Who takes nothing of a read for so long, with more waiting, loses the connection; says how many have so far. */
  | Readonly<{ fault: 'slow-consumers'; milliseconds: number }>
  /** Reads of $all through a filter say nothing for so long. */
  | Readonly<{ fault: 'slow-searches'; milliseconds: number }>
  /** Others write so many events of some bytes each, all of them at once. */
  | Readonly<{ fault: 'foreign-events'; count: number; bytes: number }>
  /** As if it was killed, or gracefully: then it ends what is open as cancelled before. */
  | Readonly<{ fault: 'stop-node'; node: number; isGraceful?: boolean }>
  | Readonly<{ fault: 'start-node'; node: number }>
  /** What restarts do to idempotency without an expected revision. */
  | Readonly<{ fault: 'forget-recent-ids' }>
  /** The next checkpoint that ends history is (2^64-1, 2^64-1), as servers 24.2 to 24.10.4 could send it. */
  | Readonly<{ fault: 'bad-checkpoint' }>;

export type FaultCommand = Fault & Readonly<{ seq: number }>;

/** `affected`: how many streams or connections were ended, or the node that leads now; 0 for the others. */
export type FaultAnswer = Readonly<{ seq: number; affected: number; failed?: string }>;
