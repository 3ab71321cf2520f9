import { whole } from '../report-parts.mjs';

/** The meaning of each figure. */
export function notes({ given }) {
  const { rounds, events, contexts, peerEvents, peerFault } = given;
  return [
    ...(peerFault
      ? [`- **Emmett could not be installed (${peerFault}) and was not measured.**`]
      : []),
    `- One embedded PostgreSQL server, everything in one run; ${rounds === 1 ? 'one round' : `${rounds} rounds, the order of the contenders turned round each time`}. Each contender begins with a copy of the same database files. Speeds are the median of the rounds, ratios the median of the rounds' own ratios.`,
    `- (a): ${whole(events)} events over ${whole(contexts)} contexts, the nth context busy in proportion to 1/n^0.9, sealed into their hash chains and appended through the port before the clock starts. The projector is a separate process; processor time is that of this process and of PostgreSQL, for one event.`,
    '- *Live projector*: a process wired as a server has it, from empty read models until every partition is at the end of the log, with one transaction for 500 events.',
    '- *Rebuild job*: from the start of the job to its switch, by the clock of the database: the rows are built again next to the filled live ones and indexed, a sample is compared with the live rows, and the tables are swapped.',
    '- *COPY*: the same final rows from files on the server, binary, all tables at once, and nothing else: no reading of events, no checkpoint, no client. The cost under which no way of writing these rows gets.',
    `- *Emmett*: its consumer with a projection of raw SQL that keeps comparable rows in the same tables: five statements an event, none of which reads the earlier state of an item. It handles one event after another and stores its position after each event, not after each batch. The first ${whole(peerEvents)} of such events. As it comes it takes 100 events at a time and rests 50 ms.`,
    `- (b): steps added through HTTP to 200 contexts on the real server, ${given.appendsPerSecond} a second for ${given.seconds} s whether or not the ones before are answered; texts at their own length. The delay is the time from the arrival of the answer until the row has the version; a separate connection reads the row every millisecond. One append of 50 is searched for in \`GET /v1/contexts\` of all contexts instead, repeatedly. All programs share the same processors.`,
    '- (c): two projectors with half of the partitions each and an event every 10 ms; the clock runs from the kill until the other process has applied later events of the partitions of the killed one. A process counts as dead 4 s after its last heartbeat.',
    '- (d): over HTTP, one request at a time, sizes and reads in turn, documents that grow by themselves; read models up to date.',
    '- (e): the log of (a). Each command is a separate process, its start included. With `--all` it asks the real server for one context after another; the others read the database themselves. Audit compares every row with the fold of its stream; restore writes the log into an empty database and verifies every chain; MB are those of the file.',
  ];
}
