import { fillEmmett, projectWithEmmett } from './emmett-projection.mjs';
import { fillDatabase } from './filled-log.mjs';
import { catchUp, rebuild } from './our-projection.mjs';
import { copyRows } from './raw-copy.mjs';

export const ours = { catchUp: 'Throughline, live projector', rebuild: 'Throughline, rebuild job' };
export const raw = {
  withIndexes: 'COPY of the finished rows, indexes in place',
  indexesLast: 'COPY of the finished rows, indexes made afterwards',
};
/** With its default options, and with the fastest ones. */
export const emmett = {
  asItComes: ['Emmett consumer, as it comes', { batch: 100, pauseMs: 50 }],
  tuned: ['Emmett consumer, batches of 1,000, no pause', { batch: 1000, pauseMs: 0 }],
};

/** The same log, round by round, through each contender; each begins with a copy of the same files. */
export async function measureThroughput(given) {
  const { databases, say } = given;
  const log = await databases.create('log');
  const filled = await fillDatabase(given, log);
  const contenders = [(keep) => ourRound(given, log, keep)];
  if (!given.peerFault) contenders.push(await openEmmett(given));
  const slots = new Map();
  const keep = (name, events, slot) => {
    const perSecond = events / slot.seconds;
    slots.set(name, [...(slots.get(name) ?? []), { ...slot, events, perSecond }]);
    say(`    ${name}: ${Math.round(perSecond)} events/s`);
  };
  for (let round = 1; round <= given.rounds; round++) {
    say(`  round ${round} of ${given.rounds}`);
    for (const measure of round % 2 === 1 ? contenders : contenders.toReversed())
      await measure(keep);
  }
  return { slots, filled, log };
}

function ourRound(given, log, keep) {
  const { events, databases } = given;
  return databases.withCopy(log, async (database) => {
    keep(ours.catchUp, events, await catchUp(given, database));
    keep(ours.rebuild, events, await rebuild(given, database));
    const copied = await copyRows(given, database);
    for (const [way, name] of Object.entries(raw)) keep(name, events, copied[way]);
  });
}

/** A part of the work is enough, since the figure does not depend on the length of the log. */
async function openEmmett(given) {
  const { databases, peerEvents: events } = given;
  const log = await databases.create('emmett');
  await fillEmmett({ ...given, events }, log);
  return async (keep) => {
    for (const [name, options] of Object.values(emmett))
      await databases.withCopy(log, async (database) =>
        keep(name, events, await projectWithEmmett({ ...given, events }, database, options)),
      );
  };
}
