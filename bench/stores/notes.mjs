import { whole } from '../report-parts.mjs';

/** The meaning of each figure. */
export function notes({ rounds, milliseconds, logEvents, samples, events, contexts, serverUrl }) {
  return [
    `- ${rounds === 1 ? 'One round' : `${rounds} rounds`} after a warm-up, the order of the contenders turned each time. Speeds are the median of the rounds, latencies those of all calls, ratios the median of the rounds' own ratios.`,
    '- *Port on PostgreSQL*: `PostgresEventStore` on the embedded server with `fsync` on. *Port on KurrentDB*: `KurrentEventStore`, that is adapter and client. *Client alone*: `@eventstore/db-client` 6.2.1 on the same log, every call requiring the leader as ours do.',
    '- *As it comes* the client sends all appends over one stream of batches. That stream can leave appends pending indefinitely, so our adapter makes *a call an append* with a separate deadline; the second comparison excludes that choice and shows the cost of the code around the client.',
    '- The port takes and gives the text of an event, byte for byte, so the adapter parses and writes JSON on both ways; the client alone is given objects and leaves objects.',
    '- Processor time *here* is that of this process, which holds contender and client and not the server; stand-in and PostgreSQL run on the same processors.',
    `- (a): writers have ${milliseconds} ms each time and fill separate streams, 100 events each, on the exact version; the same 2 KB step outputs in the same order for all, with 450 bytes of envelope.`,
    `- (b): ${whole(logEvents)} such events; ${samples} reads of 100 events and ${Math.ceil(samples / 5)} of 1,000 a round. The log is read 500 events at a time by the port, in one call by the client; subscriptions run until they have had every event.`,
    serverUrl
      ? '- *Server*: the one that EVENTSTORE_URL names; reads begin behind the first event of this run, so others writing to it meanwhile count.'
      : '- No real KurrentDB was measured: EVENTSTORE_URL was not set.',
    `- (c): ${whole(events)} events over ${whole(contexts)} contexts, the mix of \`npm run bench:projections\`; read models as the projector leaves them, then vacuumed.`,
    '- (d): real servers and projectors, each a process, all of them, the clients and PostgreSQL on the same processors: it shows that processes can share the work, not what more machines would give. Steps of 2 KB added to 256 contexts; read is a context of 20 steps, 45 KB, up to date, and a page of 50 contexts.',
  ];
}
