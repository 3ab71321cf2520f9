import { whole } from '../report-parts.mjs';

/** What each figure stands for. */
export function notes({ given }) {
  const { rounds, events, contexts, peerEvents, peerFault } = given;
  return [
    ...(peerFault
      ? [`- **Emmett could not be installed (${peerFault}) and was not measured.**`]
      : []),
    `- One embedded PostgreSQL server, everything in one run; ${rounds === 1 ? 'one round' : `${rounds} rounds, the order of the contenders turned round each time`}. Each contender begins with a copy of the same database files. Speeds are the median of the rounds, ratios the median of the rounds' own ratios.`,
    `- (a): ${whole(events)} events over ${whole(contexts)} contexts, the nth context busy in proportion to 1/n^0.9, sealed into their hash chains and appended through the port before the clock starts. Who projects is a process of its own; processor time is its own and that of PostgreSQL, for one event.`,
    '- *Live projector*: a process wired as a server has it, from empty read models until every partition is at the end of the log, with one transaction for 500 events.',
    '- *Rebuild job*: from the start of the job to its switch, by the clock of the database: the rows made anew beside the filled live ones, indexed, a sample compared with the live rows, swapped.',
    '- *COPY*: the same final rows from files on the server, binary, all tables at once, and nothing else: no reading of events, no checkpoint, no client. The cost under which no way of writing these rows gets.',
    `- *Emmett*: its consumer with a projection of raw SQL that keeps comparable rows in the same tables: five statements an event, and nothing of an item's earlier state is looked at. It handles one event after another and notes its position after each, whatever the batch. The first ${whole(peerEvents)} of such events. As it comes it takes 100 events at a time and rests 50 ms.`,
  ];
}
