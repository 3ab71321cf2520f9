import { createSecretKey } from 'node:crypto';

import { AppendTooLargeError, type JsonValue } from '#event-sourcing';
import { type ContextSnapshot } from '#read-models';
import { type ContextCommand, ContextState, requiredKeys } from '#shared-context';
import { runAtOnce } from '#slices';
import {
  compileTransformation,
  orderTransformations,
  transformationLimits,
} from '#transformations';

import { rootPrincipal } from '../keys/keys.handlers.js';
import { ItemsMissingError, LoadedKeys } from './decide-commands.js';
import { type Ground, type Round, decideRound } from './decide-round.js';
import { type PreparedWrite, prepareWrite } from './prepared-write.js';
import { type WriteRequest } from './write-context.command.js';

const principal = rootPrincipal('default');
const key = createSecretKey(Buffer.alloc(32));
const nothing: ContextSnapshot = { head: undefined, state: ContextState.from([]) };
const create: ContextCommand = { type: 'CreateContext', data: {} };
const iteration: ContextCommand = { type: 'StartIteration', data: { subject: 's' } };

describe('a round of writes', () => {
  it('decides each write on what the ones before it leave behind', () => {
    const decided = decide(nothing, write([create]), write([output('a')]), write([output('b')]));
    expect(decided.outcomes).toEqual([
      { kind: 'stored', first: 1, count: 1 },
      { kind: 'stored', first: 2, count: 1 },
      { kind: 'stored', first: 3, count: 1 },
    ]);
    const hashes = decided.draft.events.map(({ envelope }) => envelope.hash);
    const previous = decided.draft.events.map(({ envelope }) => envelope.previousHash);
    expect(previous).toEqual([null, ...hashes.slice(0, -1)]);
  });

  it('lets one of two writes pass that were decided on the same version', () => {
    const conditional = (step: string) => write([output(step)], { ifMatch: 1 });
    const decided = decide(nothing, write([create]), conditional('a'), conditional('b'));
    expect(decided.outcomes.slice(1)).toEqual([
      { kind: 'stored', first: 2, count: 1 },
      { kind: 'conflict', expected: 1, current: 2 },
    ]);
  });

  it('gives the second of two equal requests the answer of the first, and refuses another body', () => {
    const repeated = (body: string) =>
      write([output('a')], { idempotency: { key: 'k', method: 'POST', path: '/', body } });
    const decided = decide(nothing, write([create]), repeated('x'), repeated('x'), repeated('y'));
    expect(decided.outcomes.slice(1)).toMatchObject([
      { kind: 'stored', first: 2 },
      { kind: 'replay', first: 2, count: 1 },
      { kind: 'refused', error: { code: 'idempotency-key-reused' } },
    ]);
  });

  it('stops before the write that would make the append too large, and refuses one that is too large alone', () => {
    const large = output('a', 'x'.repeat(600_000));
    const started = decide(nothing, write([create]), write([large]), write([large]));
    expect(started.outcomes).toHaveLength(2);
    const alone = decide(snapshotAfter(started), write([output('b', 'x'.repeat(1_100_000))]));
    expect(alone.outcomes).toEqual([{ kind: 'refused', error: expect.any(AppendTooLargeError) }]);
    expect(alone.draft.encoded).toEqual([]);
  });

  it('stops once as many steps were taken to derive values as one write may take', () => {
    const transformations = orderTransformations([
      compileTransformation(
        { transformationId: 't', version: 1 },
        {
          trigger: { step: 's' },
          sources: { values: 'context.s' },
          operation: { kind: 'score', expression: 'sum(values)' },
          destinations: ['a.inputs.sum'],
        },
      ),
    ]);
    const values = Array.from({ length: 30_000 }, () => 0);
    const writes = Array.from({ length: 10 }, () => write([output('s', values)]));
    const decided = decideKnowing({ transformations }, [write([create]), ...writes]);
    // Of ten writes of 30,000 steps and a few each.
    const within = Math.floor(transformationLimits.steps / 30_005);
    expect(decided.outcomes).toHaveLength(1 + within + 1);
    expect(decided.outcomes.every(({ kind }) => kind === 'stored')).toBe(true);
  });

  it('stores nothing of a list of commands when one of them is refused, and points at it', () => {
    const supersedes: ContextCommand = {
      type: 'RecordDecision',
      data: { decision: 'x', supersedes: 'DEC-404' },
    };
    const decided = decide(
      nothing,
      write([create]),
      write([output('a'), supersedes], { batch: true }),
    );
    expect(decided.outcomes[1]).toMatchObject({
      kind: 'refused',
      error: { issues: [{ pointer: '/events/1/data/supersedes' }] },
    });
    expect(decided.draft.events).toHaveLength(1);
  });

  it('stores of a refused iteration that the breaker tripped, once, and nothing of its list', () => {
    const past = decide(nothing, write([create]), ...[1, 2, 3].map(() => write([iteration])));
    const list = write([output('a'), iteration, output('b')], { batch: true });
    const decided = decide(snapshotAfter(past), list, write([iteration]));
    expect(decided.outcomes).toEqual([
      {
        ...{ kind: 'recorded', first: 5, count: 1 },
        error: expect.objectContaining({ code: 'circuit-open' }),
      },
      { kind: 'refused', error: expect.objectContaining({ code: 'circuit-open' }) },
    ]);
    expect(decided.draft.events).toMatchObject([
      { type: 'CircuitBreakerTripped', version: 5, data: { subject: 's', current: 3, max: 3 } },
    ]);
  });

  it('counts for a trip what is stored, not what was refused with it', () => {
    const list = write([iteration, iteration, iteration, iteration], { batch: true });
    const decided = decide(nothing, write([create]), list);
    expect(decided.outcomes[1]).toMatchObject({
      kind: 'recorded',
      error: { code: 'circuit-open' },
    });
    expect(decided.draft.events.slice(1)).toMatchObject([
      { type: 'CircuitBreakerTripped', data: { subject: 's', current: 0, max: 3 } },
    ]);
  });

  it('burns no idempotency key with a trip', () => {
    const past = decide(nothing, write([create]), ...[1, 2, 3].map(() => write([iteration])));
    const keyed = () =>
      write([iteration], { idempotency: { key: 'k', method: 'POST', path: '/', body: 'b' } });
    const tripped = decide(snapshotAfter(past), keyed());
    expect(tripped.draft.events).toMatchObject([{ idempotency: null }]);
    const reset: ContextCommand = { type: 'ResetCircuitBreaker', data: { subject: 's' } };
    const again = decide(snapshotAfter(tripped), write([reset]), keyed(), keyed());
    expect(again.outcomes).toMatchObject([
      { kind: 'stored', first: 6 },
      { kind: 'stored', first: 7 },
      { kind: 'replay', first: 7 },
    ]);
    const ids = [...tripped.draft.events, ...again.draft.events].map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(3);
  });

  it('trips nothing for a condition that is not met, nor in a context that is closed', () => {
    const past = decide(nothing, write([create]), ...[1, 2, 3].map(() => write([iteration])));
    const conditional = decide(snapshotAfter(past), write([iteration], { ifMatch: 1 }));
    expect(conditional.outcomes).toEqual([{ kind: 'conflict', expected: 1, current: 4 }]);
    expect(conditional.draft.events).toEqual([]);
    const closed = decide(snapshotAfter(past), write([{ type: 'CloseContext', data: {} }]));
    const reopen: ContextCommand = { type: 'ReopenContext', data: {} };
    const list = decide(snapshotAfter(closed), write([reopen, iteration], { batch: true }));
    expect(list.outcomes).toMatchObject([{ kind: 'refused', error: { code: 'circuit-open' } }]);
    expect(list.draft.events).toEqual([]);
  });

  it('stops deciding as soon as a write comes to more than an append holds', () => {
    const steps = (count: number) => {
      const commands = Array.from({ length: count }, (_, n) => output(`s-${n}`));
      const created = decide(nothing, write([create]));
      const {
        draft: { head, state },
      } = created;
      const deciding = decideRound(ground({ head, state }, commands), [write(commands)]);
      let taken = 0;
      for (;;) {
        const { done, value } = deciding.next();
        if (!done) taken += 1;
        else return { taken, outcomes: value.outcomes };
      }
    };
    const [large, larger] = [steps(5_000), steps(10_000)];
    expect(large.outcomes).toEqual([{ kind: 'refused', error: expect.any(AppendTooLargeError) }]);
    expect(larger.taken).toBe(large.taken);
    expect(large.taken).toBeLessThan(5_000);
  });

  it('never lets the time of a stream go back', () => {
    const first = decide(nothing, write([create]));
    const { draft } = decideAt({ ...ground(snapshotAfter(first), [output('a')]), now: 0 }, [
      write([output('a')]),
    ]);
    expect(draft.events[0]?.recordedAt).toBe(first.draft.events[0]?.recordedAt);
  });
});

function write(
  commands: readonly ContextCommand[],
  rest: Partial<WriteRequest> = {},
): PreparedWrite {
  return prepareWrite({ principal, contextId: 'c', commands, ...rest }, key);
}

function output(stepId: string, value: JsonValue = 1): ContextCommand {
  return { type: 'AddStepOutput', data: { stepId, output: value } };
}

function decide(snapshot: ContextSnapshot, ...writes: readonly PreparedWrite[]): Round {
  return decideAt(
    ground(
      snapshot,
      writes.flatMap(({ commands }) => commands),
    ),
    writes,
  );
}

/** Loads what turns out to be needed. */
function decideKnowing(given: Partial<Ground>, writes: readonly PreparedWrite[]): Round {
  const { loaded, ...rest } = ground(
    nothing,
    writes.flatMap(({ commands }) => commands),
  );
  for (;;)
    try {
      return decideAt({ ...rest, ...given, loaded }, writes);
    } catch (error) {
      if (!(error instanceof ItemsMissingError)) throw error;
      loaded.add(error.keys);
    }
}

function ground(snapshot: ContextSnapshot, commands: readonly ContextCommand[]) {
  const keys = commands.flatMap((command) => requiredKeys(command, snapshot.state.lookup));
  return { snapshot, loaded: new LoadedKeys().add(keys), now: Date.UTC(2026, 0, 1) };
}

function snapshotAfter({ draft: { head, state } }: Round): ContextSnapshot {
  return { head, state };
}

function decideAt(...[ground, writes]: Parameters<typeof decideRound>): Round {
  return runAtOnce(decideRound(ground, writes));
}
