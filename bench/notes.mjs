import { stepsPerContext } from './contenders/turns.mjs';

/** The meaning of each figure. */
export function notes({ peerFault, plan }) {
  return [
    ...(peerFault
      ? [`- **Emmett and LangGraph could not be installed (${peerFault}) and were not measured.**`]
      : []),
    `- One embedded PostgreSQL server, a database for each contender, everything in one run. ${plan.rounds === 1 ? 'One round' : `${plan.rounds} rounds`} after a warm-up; in each every contender has ${plan.milliseconds} ms with 1, 8 and 32 clients, beginning with another contender each time. Clients send the next request when the last was answered. Throughput is the median of the rounds, latency that of all requests; ratios are the median of the rounds' own ratios.`,
    '- Processor time is the time that Node and PostgreSQL used for one append, including the wait for the read models; in (a) Node is the benchmark with the contender in it, in (b) the server. Unlike throughput, it hardly depends on the load of other processes.',
    '- fsync, synchronous_commit and full_page_writes are on and checked before the run: every contender is answered after its commit is on disk. The benchmark, the server processes and PostgreSQL share the same processors, as they do on a small machine in use.',
    `- Each client fills separate contexts (streams, threads), ${stepsPerContext} steps each. Contenders other than our own store have a connection for each client; our store has 5.`,
    '- *Raw insert*: one prepared statement into a table of a key and a `json` column, no more. PostgreSQL compresses rows of just over 2 KB on arrival; *row uncompressed* is the same insert into a table set as ours is.',
    '- *EventStore port*: exact expected version, event id, type, payload and 450 bytes of envelope, dense global position, unique (stream, version), subscribers notified.',
    '- *In process*: `SharedContextService.addStepOutput`, all of it: state read and decided on, envelope sealed into the hash chain, append; the projector keeps the read models in the same process at the same time. *HTTP* is the same on the real server in a separate process, with audit logging on. Last column: how many events the read models lagged at the end of the worst slot, and how long they took to catch up; the next slot waits for that.',
    '- *Emmett*: `appendToStream` with the exact version, no projections: event id, type, payload as `jsonb`, stream position, global position (not gap-free for readers without its own precautions).',
    '- *Fastify with one insert*: a separate server process that parses the same body and stores it with the prepared statement of the raw insert, on as many connections as there are clients: the floor for HTTP on this machine, without keys, rules, versions, hashes, read models and search.',
    "- *LangGraph*: `put` of a checkpoint with one new channel a step: the new channel's value, and a checkpoint row that lists all channels so far. No version check: the last write wins.",
    '- *Rewrite one JSONB column*: the document is read, changed and written back with a version check; it holds 100 or 400 outputs throughout.',
    '- (c): one request at a time, sizes and operations in turn, read models up to date at each; contexts filled in batches of 300 events, every step id different.',
    '- (e): one request at a time, kinds and sizes in turn, read models up to date at each; the commands that must precede a command are sent right before it and not measured. (f): one request at a time; every request parses a key, reads rows and reports how far they lag. (g): one request at a time, audiences in turn; text hidden from a narrower audience is not sent.',
  ];
}
