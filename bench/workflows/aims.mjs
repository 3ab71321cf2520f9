import { atLeast, atMost, milliseconds } from '../aim.mjs';
import { median } from '../statistics.mjs';
import { dbos, langGraph, ours } from './contenders.mjs';
import { depthRatio, perStep, ratioOfRounds, spread } from './figures.mjs';
import { branches } from './parts/parallel.mjs';

const crowdSpeed = ({ crowd }) => crowd;

/** The aims and results, with deviations and their reasons. */
export function judgeAims({ contenders, longRun, parallel, recovery, plan }) {
  const depth = (number) => number.toLocaleString('en');
  const [first, last] = [plan.depths[0], plan.depths.at(-1)];
  return [
    ...plan.depths.flatMap((at) =>
      timeAims(`one step at a time, step ${depth(at)}`, longRun.get(at), whySequential),
    ),
    ...[...parallel].flatMap(([visit, slots]) =>
      timeAims(
        `${branches} at once, step ${depth(visit * branches)}`,
        slots.map(({ latencies }) => latencies),
        whyParallel,
      ),
    ),
    atMost(`step ${depth(last)} / step ${depth(first)}`, 1.1, depthRatio(longRun, last, first), {
      why: whyDepth,
    }),
    atMost(
      `recovery behind ${depth(plan.recoverySteps)} steps, from the claim to the first step stored`,
      100,
      median(recovery.map(({ claimMs }) => claimMs)),
      { show: milliseconds, why: whyRecovery },
    ),
    ...peerAims(contenders, plan),
  ];
}

function timeAims(name, lists, why) {
  const { p50, p99 } = spread(lists);
  return [
    atMost(`${name}, p50`, 5, p50, { show: milliseconds, why }),
    atMost(`${name}, p99`, 20, p99, { show: milliseconds, why }),
  ];
}

function peerAims(slots, { crowd }) {
  const pairs = [
    [ours.loop, langGraph.constant],
    [ours.chain, langGraph.growing],
  ];
  const runs = `${crowd} runs`;
  return [
    atMost('time for a step, one run / DBOS', 1.5, ratioOfRounds(slots, ours.loop, dbos, perStep), {
      why: whyDbos,
    }),
    atMost(
      `time for a step, ${runs} / DBOS`,
      1.5,
      ratioOfRounds(slots, dbos, ours.loop, crowdSpeed),
      {
        why: whyDbos,
      },
    ),
    ...pairs.flatMap(([own, other]) => [
      atMost(`time for a step, one run / ${other}`, 1, ratioOfRounds(slots, own, other, perStep), {
        why: whyLangGraph,
      }),
      atLeast(`steps/s, ${runs} / ${other}`, 1, ratioOfRounds(slots, own, other, crowdSpeed), {
        why: whyLangGraph,
      }),
    ]),
  ];
}

const whySequential =
  'A step is two appends, one that starts the attempt and one that completes it and schedules the next. On the way the run is read once with all that its worker is given, the clock and the settings twice, and the attempt is claimed and released; the projector and the search index follow in the same process, on the same processors.';
const whyParallel =
  'All branches are scheduled in one append, and each is measured from there, including the time that it waits for earlier branches, of which 8 run at a time. If no waiting function was notified of an attempt, the read models list it; then several functions try to claim it, and only one can.';
const whyDepth =
  'The work is the same by design; what is left is deeper indexes, rows that updates have left behind, and the noise of the machine.';
const whyRecovery =
  'Between the two are three appends: that the attempt was lost, that another one has started, and what it came to.';
const whyDbos =
  'A step of DBOS is seven statements, one of which stores its result; none records that an attempt has begun. A step of ours is about fourteen: two appends of four events, sealed into a hash chain, the reads for their decisions, a claim, and the updates of the read models and the search index.';
const whyLangGraph =
  'A step of LangGraph is nine statements in two transactions, none of which reads: its writes and a checkpoint, without a claim, a version check or read models.';
