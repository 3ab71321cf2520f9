// The protocol between a test and the stand-in server: one JSON object per line, one response for each fault.

/** The only argument of the program, as JSON. */
export type StandInSettings = Readonly<{
  nodes: number;
  /** The version that it reports; its behavior does not depend on it. */
  serverVersion: string;
  /** The maximum size of one append in bytes. */
  maxAppendSize: number;
  /** The time from the write of an event to its commit, after which reads return it and its append is acknowledged. */
  commitLatencyMs: number;
  /** Paths of PEM files. Without them there is no TLS and every account may do everything. */
  tls?: Readonly<{ certFile: string; keyFile: string }>;
  users: readonly Readonly<{ login: string; password: string; groups: readonly string[] }>[];
}>;

/** The first line of the program. */
export type StandInReady = Readonly<{ ready: Readonly<{ ports: readonly number[] }> }>;

export type StreamEnd = 'ok' | 'cancelled' | 'unavailable';

/** Nodes are counted from 0. */
export type Fault =
  /** The node accepts calls and does not respond, like a paused process, until the fault is lifted. */
  | Readonly<{ fault: 'silence'; node: number; isOn: boolean }>
  /** The next appends are stored and never acknowledged. */
  | Readonly<{ fault: 'drop-answers'; count: number }>
  /**
   * The next append, stored or not, ends its call like this instead of receiving a response. Only a batched append can
   * end with OK; another append is cancelled in that case.
   */
  | Readonly<{ fault: 'end-next-append'; end: StreamEnd; isStored: boolean }>
  /** Ends the open streams of batched appends with OK, acknowledged or not. */
  | Readonly<{ fault: 'end-append-streams' }>
  | Readonly<{ fault: 'cut-subscriptions'; end: StreamEnd }>
  /** Subscriptions, including new ones, stay open and deliver nothing until the fault is lifted. */
  | Readonly<{ fault: 'stall-subscriptions'; isOn: boolean }>
  /** Each of the next events of subscriptions is delivered twice. */
  | Readonly<{ fault: 'repeat-events'; count: number }>
  /**
   * A new `commitLatencyMs` for all later writes. If it is 0, all waiting writes are committed at once. Appends that
   * wait longer than two seconds end as ABORTED.
   */
  | Readonly<{ fault: 'slow-commits'; milliseconds: number }>
  /** Another node (the named one or the next) becomes leader; the old leader ends its streams like this. */
  | Readonly<{ fault: 'lose-leader'; end: Exclude<StreamEnd, 'ok'>; to?: number }>
  /** The node serves the current log until the fault is lifted. */
  | Readonly<{ fault: 'freeze'; node: number; isOn: boolean }>
  /** The account has another password from now on. */
  | Readonly<{ fault: 'change-password'; login: string; password: string }>
  /** Followers and gossip return this name as the name of the leader; it does not resolve to a node. */
  | Readonly<{ fault: 'advertise'; node: number; host: string }>
  /**
   * The leader serves reads and accepts no appends until the fault is lifted; with `freeze`, reads return the log so
   * far.
   */
  | Readonly<{ fault: 'pre-leader'; isOn: boolean }>
  /**
   * A client that receives no data of a read for this long, while more data is waiting, loses the connection. Returns the
   * number of such clients so far.
   */
  | Readonly<{ fault: 'slow-consumers'; milliseconds: number }>
  /** Filtered reads of $all send nothing for this long. */
  | Readonly<{ fault: 'slow-searches'; milliseconds: number }>
  /** Other clients write this many events of this size, all of them at once. */
  | Readonly<{ fault: 'foreign-events'; count: number; bytes: number }>
  /** The node stops as if killed, or gracefully: in that case it first cancels all open calls. */
  | Readonly<{ fault: 'stop-node'; node: number; isGraceful?: boolean }>
  | Readonly<{ fault: 'start-node'; node: number }>
  /** The effect of restarts on idempotency without an expected revision. */
  | Readonly<{ fault: 'forget-recent-ids' }>
  /** The next checkpoint that ends history is (2^64-1, 2^64-1), as servers 24.2 to 24.10.4 could send it. */
  | Readonly<{ fault: 'bad-checkpoint' }>;

export type FaultCommand = Fault & Readonly<{ seq: number }>;

/** `affected`: the number of ended streams or connections, or the new leader; 0 for other faults. */
export type FaultAnswer = Readonly<{ seq: number; affected: number; failed?: string }>;
