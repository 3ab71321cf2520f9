import fc from 'fast-check';

import { DomainError } from '#event-sourcing';
import {
  ContextState,
  type DecidedEvent,
  type Item,
  contextRegistry,
  touchedKeys,
} from '#shared-context';
import {
  type Move,
  RunWorld,
  type SampleDefinition,
  SiblingWatch,
  checkInvariants,
  make,
  moves,
  sampleDefinitions,
} from '#testing';

import { type RunCommand } from './run-command.js';
import { keysOf } from './interpretation.js';

const input = { flag: true };
/** Kinds of items that events overwrite without reading them, unless a branch still reads them. */
const replaced: ReadonlySet<string> = new Set(['completion', 'step-output', 'run-frozen']);

describe('runs of any definition with any inputs', () => {
  it('have a valid history in which no guard is exceeded', () => {
    fc.assert(
      fc.property(sampleDefinitions, moves, (definition, played) => {
        const world = RunWorld.start(definition, input);
        checkInvariants(world, 0);
        for (const move of played) {
          const before = world.events.length;
          make(world, move);
          checkInvariants(world, before);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('store only events that decode, and read only requested items', () => {
    fc.assert(
      fc.property(sampleDefinitions, moves, (definition, played) => {
        const world = RunWorld.start(definition, input);
        world.checksReads = true;
        for (const move of played) {
          const before = world.events.length;
          const { lookup } = world.state;
          const played = make(world, move);
          if (!played) continue;
          const keys = new Set(
            keysOf(world.workflow, played.command, lookup).map(({ kind, key }) => `${kind} ${key}`),
          );
          for (const event of world.events.slice(before)) {
            const { type, data } = event;
            const schemaVersion = contextRegistry.find(type)?.version ?? 1;
            contextRegistry.decode({ type, schemaVersion, data });
            const touched = touchedKeys(event).filter(({ kind }) => !replaced.has(kind));
            expect(touched.filter(({ kind, key }) => !keys.has(`${kind} ${key}`))).toEqual([]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('have the same result after any prefix of their history is folded again', () => {
    fc.assert(
      fc.property(sampleDefinitions, moves, fc.nat(), (definition, played, cut) => {
        const at = cut % (played.length + 1);
        const complete = play(RunWorld.start(definition, input), played);
        const resumed = play(RunWorld.start(definition, input), played.slice(0, at));
        resumed.state = ContextState.from(stored(refolded(resumed)));
        play(resumed, played.slice(at));
        expect(resumed.events).toEqual(complete.events);
      }),
      { numRuns: 60 },
    );
  });

  it('apply each input once: a repetition changes nothing or is rejected', () => {
    fc.assert(
      fc.property(sampleDefinitions, moves, (definition, played) => {
        const world = RunWorld.start(definition, input);
        expect(world.decide(world.startOf(input))).toEqual([]);
        for (const move of played) {
          const made = make(world, move);
          // A tick may continue with the work that one append had no room for.
          if (made && made.command.type !== 'tick')
            expect(repeated(world, made.command)).toEqual([]);
        }
      }),
      { numRuns: 80 },
    );
  });

  it('never let a branch read results of other branches since their beginning', () => {
    fc.assert(
      fc.property(sampleDefinitions, moves, (definition, played) => {
        const world = RunWorld.start(definition, input);
        const watch = new SiblingWatch(world);
        for (const move of played) {
          make(world, move);
          watch.check();
        }
      }),
      { numRuns: 80 },
    );
  });

  it('have the same result for any order in which branches end', () => {
    const results = fc.array(fc.constantFrom('output', 'failure'), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(results, fc.nat(), (ends, seed) => {
        const steps = ends.map((_, at) => `b${at}`);
        const inOrder = endIn(steps, ends);
        const shuffled = steps.toSorted((left, right) => order(left, seed) - order(right, seed));
        expect(endIn(shuffled, ends)).toEqual(inOrder);
      }),
    );
  });
});

/** The events of a repeated command; none if it is rejected. */
function repeated(world: RunWorld, command: RunCommand): readonly DecidedEvent[] {
  try {
    return world.decide(command);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

function play(world: RunWorld, played: readonly Move[]): RunWorld {
  for (const move of played) make(world, move);
  return world;
}

function refolded(world: RunWorld): Iterable<Item> {
  return world.events.reduce((state, event) => state.apply(event), ContextState.from([])).values();
}

/** The items after they were stored and read. */
function stored(items: Iterable<Item>): readonly Item[] {
  return Array.from(items, (item) => ({
    ...item,
    state: JSON.parse(JSON.stringify(item.state)) as Item['state'],
  }));
}

function order(stepId: string, seed: number): number {
  return (Number(stepId.slice(1)) * 7_919 + seed * 104_729) % 97;
}

/** The context of the step after a parallel step whose branches have ended in this order. */
function endIn(steps: readonly string[], ends: readonly string[]): unknown {
  const children = ends.map((_, at) => ({ id: `b${at}`, type: 'agent', agent: 'a' }));
  const world = RunWorld.start({
    steps: [
      { id: 'all', type: 'parallel', steps: children, next: 'report' },
      { id: 'report', type: 'agent', agent: 'reporter' },
    ],
  } satisfies SampleDefinition);
  for (const stepId of steps)
    if (ends[Number(stepId.slice(1))] === 'output') world.finish(stepId, { of: stepId });
    else world.fail(stepId, `no ${stepId}`);
  return world.envelope('report').context;
}
