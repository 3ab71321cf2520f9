import { atLeast, atMost, milliseconds, times } from './aim.mjs';
import { bareHttp, langGraph } from './parts/http.mjs';
import { median, medianRatio } from './statistics.mjs';

const raw = 'raw insert';
const port = 'Throughline, EventStore port';
const application = 'Throughline, in process';
const emmett = 'Emmett appendToStream';
const [spread, hot] = ['HTTP, many contexts', 'HTTP, one hot context'];

/** The aims and results, with deviations and their reasons. */
export function judgeAims({ appends, http, history, disk, commands, overview }) {
  const { slots } = appends;
  const against = (left, right, clients) => ratioIn(slots, left, right, clients);
  return [
    ...[
      [1, 0.8],
      [8, 1],
      [32, 1.4],
    ].map(([clients, aim]) =>
      atLeast(`append / raw insert, ${crowd(clients)}`, aim, against(port, raw, clients), {
        why: whyAppend,
      }),
    ),
    atLeast('append / Emmett, 32 clients', 4, against(port, emmett, 32), {
      why: whyEmmett,
    }),
    atMost('HTTP append, 1 client, p50', 1.5, summaryOf(http, spread, 1).p50, {
      show: milliseconds,
      why: whyHttp,
    }),
    ...[spread, hot].map((name) =>
      atLeast(`${name} / raw insert, 32 clients`, 0.35, ratioIn(http, name, raw, 32), {
        why: whyHttp,
      }),
    ),
    ...[8, 32].map((clients) =>
      atLeast(
        `${spread} / LangGraph in process, ${clients} clients`,
        1,
        ratioIn(http, spread, langGraph, clients),
        { why: whyHttp },
      ),
    ),
    ...[
      [bareHttp, raw, `floor: ${bareHttp} / raw insert, 32 clients`],
      [bareHttp, langGraph, `floor: ${bareHttp} / LangGraph in process, 32 clients`],
      [spread, bareHttp, `${spread} / ${bareHttp}, 32 clients`],
      [hot, bareHttp, `${hot} / ${bareHttp}, 32 clients`],
    ].flatMap(([left, right, name]) => {
      const ratio = ratioIn(http, left, right, 32);
      return ratio === undefined
        ? []
        : [{ name, aim: 'none stated', measured: times(ratio), verdict: '' }];
    }),
    ...['append', 'one-step read', 'conditional write'].map((name) =>
      atMost(`${name}: 10,000 events / 10 events`, 1.1, historyRatio(history, name), {
        why: whyHistory,
      }),
    ),
    ...commandAims(commands),
    ...overview.cells.map(({ name, p50 }) =>
      atMost(`${name}, p50`, 10, p50, { show: milliseconds, why: whyOverview }),
    ),
    atMost(
      'bytes on disk / payload byte, with read models',
      3,
      (disk.streams + disk.readModels) / disk.payload,
      { why: whyDisk },
    ),
    ...[1, 8, 32].map((clients) => ({
      name: `whole application in process / raw insert, ${crowd(clients)}`,
      aim: 'none stated',
      measured: times(against(application, raw, clients)),
      verdict: '',
    })),
  ];
}

/** Undefined if the peer could not be installed. */
function ratioIn(slots, left, right, clients) {
  return slots.has(right)
    ? medianRatio(slots.get(left).get(clients), slots.get(right).get(clients))
    : undefined;
}

export function historyRatio(history, name) {
  const p50 = (events) => history.find((cell) => cell.name === name && cell.events === events).p50;
  return p50(10_000) / p50(10);
}

/** The median of all kinds, and the kind with the largest deviation: noise makes some of the many kinds deviate. */
function commandAims(commands) {
  const names = [...new Set(commands.map(({ name }) => name))];
  const p50 = (name, events) =>
    commands.find((cell) => cell.name === name && cell.events === events).p50;
  return [1000, 10_000].flatMap((events) => {
    const ratios = names.map((name) => ({ name, ratio: p50(name, events) / p50(name, 10) }));
    const sorted = ratios.toSorted((left, right) => right.ratio - left.ratio);
    const [worst] = sorted;
    const title = `${events.toLocaleString('en')} events / 10 events`;
    return [
      atMost(`every kind of command, median of kinds: ${title}`, 1.1, medianOf(ratios), {
        why: whyHistory,
      }),
      atMost(`the kind furthest off, ${worst.name}: ${title}`, 1.1, worst.ratio, {
        why: whyHistory,
      }),
    ];
  });
}

function medianOf(ratios) {
  return median(ratios.map(({ ratio }) => ratio));
}

export function crowd(clients) {
  return clients === 1 ? '1 client' : `${clients} clients`;
}

function summaryOf(slots, name, clients) {
  return { p50: median50(slots.get(name).get(clients)) };
}

function median50(slots) {
  const all = slots.flatMap(({ latencies }) => latencies).toSorted((a, b) => a - b);
  return all[Math.floor(all.length / 2)];
}

const whyAppend =
  'An append does more than an insert: it checks the version of its stream, gives out a dense position under one lock, stores the payload, 450 bytes of envelope and the event id, keeps two unique indexes and notifies subscribers. With one client no other append shares that cost; with many clients the shared commit should compensate for it, but cannot if the client process, not the disk, is the bottleneck.';
const whyEmmett =
  "Emmett spends three round trips and one commit on each append, so its figure is bound by round trips and commits; ours by this process's own processor time once commits are shared.";
const whyHttp =
  'One append over HTTP is one round trip to the database, the append with its commit, and costs several times the processor time of the append alone; the projector and the search index share the process and the processors.';
const whyHistory =
  'The work is the same by design; the rest is due to colder pages in deeper indexes and the noise of the machine.';
const whyOverview =
  'A request over HTTP costs some 2 ms before it does anything; what is found often is sorted by creation before it is cut to a page.';
const whyDisk =
  'The read models hold every payload a second time, so that a read needs no history, and its words with their places once more, so that it is found; all three carry their keys and indexes.';
