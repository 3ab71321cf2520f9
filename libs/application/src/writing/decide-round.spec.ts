import { createSecretKey } from 'node:crypto';

import { AppendTooLargeError, type JsonValue, findAppendIndex } from '#event-sourcing';
import { type ContextSnapshot } from '#read-models';
import {
  type ContextCommand,
  ContextNotFoundError,
  ContextState,
  RuleViolationError,
  requiredKeys,
} from '#shared-context';
import { runAtOnce } from '#slices';
import {
  compileTransformation,
  orderTransformations,
  transformationLimits,
} from '#transformations';

import { EventUnreadableError } from '../errors.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { ItemsMissingError, LoadedKeys } from './loaded-keys.js';
import { type RoundInput, type Round, decideRound } from './decide-round.js';
import { type PreparedWrite, prepareWrite } from './prepared-write.js';
import { maxRewrittenLength, maxValueLength, RewriteTooLargeError } from './rewritten-items.js';
import { type WriteRequest } from './write-context.command.js';

const principal = rootPrincipal('default');
const key = createSecretKey(Buffer.alloc(32));
const nothing: ContextSnapshot = { head: undefined, state: ContextState.from([]) };
const create: ContextCommand = { type: 'CreateContext', data: {} };
const unknownTask: ContextCommand = { type: 'CompleteTask', data: { taskId: 'none' } };
const iteration: ContextCommand = { type: 'StartIteration', data: { subject: 's' } };

describe('a round of writes', () => {
  it('decides each write on the results of the ones before it', () => {
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

  it('marks the end of each write in the ids of its events, with and without an idempotency key', () => {
    const idempotency = { key: 'k', method: 'POST', path: '/', body: 'x' };
    const decided = decide(
      nothing,
      write([create]),
      write([output('a'), output('b'), output('c')]),
      write([output('a'), output('b')], { idempotency }),
      write([output('d')], { idempotency: { ...idempotency, key: 'l' } }),
    );
    expect(decided.draft.events.map(({ eventId }) => findAppendIndex(eventId))).toEqual([
      undefined,
      { index: 0, following: 2 },
      { index: 1, following: 1 },
      { index: 2, following: 0 },
      { index: 0, following: 1 },
      { index: 1, following: 0 },
      undefined,
    ]);
  });

  it('accepts one of two writes that require the same version', () => {
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

  it('refuses a write that changes a large item too often, and stores one at the limit', () => {
    const member = (count: number): ContextCommand => ({
      type: 'SetGlobalContext',
      data: { values: { a: { text: 'x'.repeat(maxRewrittenLength / 16 - 64), count } } },
    });
    const patches = (count: number) =>
      Array.from({ length: count }, (_, n): ContextCommand => {
        return { type: 'SetGlobalContext', data: { values: { a: { count: n + 1 } } } };
      });
    const started = snapshotAfter(decide(nothing, write([create]), write([member(0)])));
    expect(decide(started, write(patches(16))).outcomes).toMatchObject([{ kind: 'stored' }]);
    const { outcomes, draft } = decide(started, write(patches(17)));
    expect(outcomes).toEqual([{ kind: 'refused', error: expect.any(RewriteTooLargeError) }]);
    expect(draft.encoded).toEqual([]);
    const writes = patches(20).map((patch) => write([patch]));
    expect(decide(started, ...writes).outcomes).toHaveLength(16);
  });

  it('refuses a change that makes a value too large, and stores a value of the largest size', () => {
    const patch = (name: string, length: number): ContextCommand => ({
      type: 'SetGlobalContext',
      data: { values: { a: { [name]: 'x'.repeat(length) } } },
    });
    const part = 700_000;
    const last = maxValueLength - 2 * part - '{"n":"","m":"","o":""}'.length;
    const created = snapshotAfter(decide(nothing, write([create]), write([patch('n', part)])));
    const before = snapshotAfter(decide(created, write([patch('m', part)])));
    const stored = decide(before, write([patch('o', last)]));
    expect(stored.outcomes).toMatchObject([{ kind: 'stored' }]);
    expect(decide(before, write([patch('o', last + 1)])).outcomes).toEqual([
      { kind: 'refused', error: expect.any(RewriteTooLargeError) },
    ]);
  });

  it('stops once the derivation of values has used up the steps of one write', () => {
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
    const decided = decideLoading({ transformations }, [write([create]), ...writes]);
    // Each of the ten writes takes 30,000 steps and a few more.
    const within = Math.floor(transformationLimits.steps / 30_005);
    expect(decided.outcomes).toHaveLength(1 + within + 1);
    expect(decided.outcomes.every(({ kind }) => kind === 'stored')).toBe(true);
  });

  it('stores no event of a list of commands if one of them is refused, and identifies that command', () => {
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

  it('points at the refused command within the request', () => {
    const other: ContextCommand = { type: 'PlanTask', data: { taskId: 't', title: 'other' } };
    const first: ContextCommand = { type: 'PlanTask', data: { taskId: 't', title: 'one' } };
    const unusable = output('.');
    const places = [{ at: '/tasks/0' }, { at: '/tasks/1' }];
    const refusalOf = (...args: Parameters<typeof write>) =>
      decide(nothing, write([create]), write(...args)).outcomes[1];
    expect(refusalOf([first, other], { places })).toMatchObject({
      kind: 'refused',
      error: {
        issues: [{ pointer: '/tasks/1/taskId', detail: expect.stringMatching(/: choose/) }],
      },
    });
    const keyed = [undefined, { at: '/stepOutputs/.', keyed: true }];
    expect(refusalOf([first, unusable], { places: keyed })).toMatchObject({
      kind: 'refused',
      error: { issues: [{ pointer: '/stepOutputs/.' }] },
    });
    expect(refusalOf([first, other])).toMatchObject({
      kind: 'refused',
      error: { issues: [{ pointer: '/taskId' }] },
    });
  });

  it('treats an item that is hidden from the writer as missing, unless the same write has created it', () => {
    const plan: ContextCommand = { type: 'PlanTask', data: { taskId: 'none', title: 't' } };
    const hidden = [{ kind: 'task', key: 'none' }] as const;
    const planned = snapshotAfter(decide(nothing, write([create]), write([plan])));
    const notFound = { kind: 'refused', error: { code: 'not-found', id: 'none' } };
    expect(decide(planned, write([unknownTask], { hidden })).outcomes).toMatchObject([notFound]);
    expect(decide(planned, write([unknownTask])).outcomes).toMatchObject([{ kind: 'stored' }]);
    const started = decide(nothing, write([create]));
    const own = decide(snapshotAfter(started), write([plan, unknownTask], { hidden }));
    expect(own.outcomes).toMatchObject([{ kind: 'stored', count: 2 }]);
    // An item that another write of the same round has created is still hidden.
    const others = decide(snapshotAfter(started), write([plan]), write([unknownTask], { hidden }));
    expect(others.outcomes).toMatchObject([{ kind: 'stored' }, notFound]);
  });

  it('stores the trip of the breaker by a refused iteration once, and no other event of its batch', () => {
    const past = decide(nothing, write([create]), ...[1, 2, 3].map(() => write([iteration])));
    const list = write([output('a'), iteration, output('b')], { batch: true });
    const decided = decide(snapshotAfter(past), list, write([iteration]));
    expect(decided.outcomes).toEqual([
      {
        kind: 'recorded',
        first: 5,
        count: 1,
        error: expect.objectContaining({ code: 'circuit-open' }),
      },
      { kind: 'refused', error: expect.objectContaining({ code: 'circuit-open' }) },
    ]);
    expect(decided.draft.events).toMatchObject([
      { type: 'CircuitBreakerTripped', version: 5, data: { subject: 's', current: 3, max: 3 } },
    ]);
  });

  it('trips no breaker if only iterations of the refused write reach the limit', () => {
    const list = write([iteration, iteration, iteration, iteration], { batch: true });
    const decided = decide(nothing, write([create]), list);
    expect(decided.outcomes[1]).toMatchObject({ kind: 'refused', error: { code: 'circuit-open' } });
    expect(decided.draft.events).toHaveLength(1);
  });

  it.each<[string, Parameters<typeof write>]>([
    ['a command after the iteration is refused', [[iteration, unknownTask], { batch: true }]],
    ['a command before it is refused', [[unknownTask, iteration], { batch: true }]],
    [
      'the write is refused as a whole',
      [[iteration], { refusal: new RuleViolationError('', 'no') }],
    ],
  ])('trips no breaker if %s', (_, refused) => {
    const past = decide(nothing, write([create]), ...[1, 2, 3].map(() => write([iteration])));
    const decided = decide(snapshotAfter(past), write(...refused));
    expect(decided.outcomes).toMatchObject([{ kind: 'refused' }]);
    expect(decided.draft.events).toEqual([]);
  });

  it('carries the counts of loops over a restore', () => {
    const past = decide(nothing, write([create]), ...[1, 2].map(() => write([iteration])));
    const loopsAt = (version: number) => ({
      version,
      loops: [...stateAt(past, version).values()].filter(({ kind }) => kind === 'loop'),
    });
    const restore = (version: number, base?: ReturnType<typeof loopsAt>) =>
      write([{ type: 'RestoreContext', data: { version }, base }]);
    const typesOf = (...writes: PreparedWrite[]) =>
      decide(snapshotAfter(past), ...writes).draft.events.map(({ type }) => type);
    const carried = ['ContextRestored', 'IterationsCarried'];
    expect(typesOf(restore(1, loopsAt(1)))).toEqual(carried);
    expect(typesOf(restore(3, loopsAt(3)))).toEqual(['ContextRestored']);
    // Loops of a version other than the restored one are ignored.
    expect(typesOf(restore(3, loopsAt(2)))).toEqual(carried);
    // The loops of the restored version lack later iterations: the iteration of the same round counts.
    const behind = decide(snapshotAfter(past), write([iteration]), restore(3, loopsAt(3)));
    expect(behind.draft.events.at(-1)).toMatchObject({
      type: 'IterationsCarried',
      data: { subject: 's', total: 3, current: 3, max: 3 },
      envelope: { principal: 'admin', visibility: 'record' },
    });
  });

  it('uses up no idempotency key with a trip', () => {
    const past = decide(nothing, write([create]), ...[1, 2, 3].map(() => write([iteration])));
    const keyed = () =>
      write([iteration], { idempotency: { key: 'k', method: 'POST', path: '/', body: 'b' } });
    const tripped = decide(snapshotAfter(past), keyed());
    expect(tripped.draft.events).toMatchObject([{ idempotency: null }]);
    const reset: ContextCommand = { type: 'ResetCircuitBreaker', data: { subject: 's' } };
    const afterReset = decide(snapshotAfter(tripped), write([reset]), keyed(), keyed());
    expect(afterReset.outcomes).toMatchObject([
      { kind: 'stored', first: 6 },
      { kind: 'stored', first: 7 },
      { kind: 'replay', first: 7 },
    ]);
    const ids = [...tripped.draft.events, ...afterReset.draft.events].map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(3);
  });

  it('trips no breaker if the condition fails or the context is closed', () => {
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

  it('stops deciding as soon as a write exceeds the size of an append', () => {
    const steps = (count: number) => {
      const commands = Array.from({ length: count }, (_, n) => output(`s-${n}`));
      const created = decide(nothing, write([create]));
      const {
        draft: { head, state },
      } = created;
      const deciding = decideRound(roundInput({ head, state }, commands), [write(commands)]);
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

  it.each(['SetGlobalContext', 'SetPreferences'] as const)(
    'decides %s in a number of steps proportional to its members',
    (type) => {
      const { draft } = decide(nothing, write([create]));
      const taken = (count: number) => {
        const command: ContextCommand = { type, data: { values: members(count) } };
        const deciding = decideRound(roundInput(draft, [command]), [write([command])]);
        let steps = 0;
        while (!deciding.next().done) steps += 1;
        return steps;
      };
      const [large, larger] = [taken(10_000), taken(20_000)];
      // Each member is loaded, folded, stored and measured.
      expect(large).toBeGreaterThan((4 * 10_000) / 256);
      expect(larger).toBeGreaterThan(1.9 * large);
      expect(larger).toBeLessThan(2.1 * large);
    },
  );

  it('refuses a write to hidden items if the visible items could not be read, after the checks of access and repetition', () => {
    const unreadable = new EventUnreadableError('unreadable');
    const idempotency = { key: 'k', method: 'POST', path: '/', body: 'x' };
    const before = decide(
      nothing,
      write([create, { type: 'PlanTask', data: { taskId: 'hidden', title: 't' } }]),
      write([output('a')], { idempotency }),
    );
    const hidden = [
      { kind: 'task', key: 'hidden' },
      { kind: 'task', key: 'none' },
    ] as const;
    const elsewhere = { ...principal, contexts: ['other'] };
    const outcomeOf = (taskId: string, rest: Partial<WriteRequest> = {}) => {
      const commands = [{ type: 'CompleteTask', data: { taskId } }] as const;
      const request = write(commands, { hidden, refusal: unreadable, ...rest });
      return decideLoading({ snapshot: snapshotAfter(before) }, [request]).outcomes[0];
    };
    expect(outcomeOf('hidden')).toEqual({ kind: 'refused', error: unreadable });
    expect(outcomeOf('none')).toEqual({ kind: 'refused', error: unreadable });
    expect(outcomeOf('hidden', { principal: elsewhere })).toEqual({
      kind: 'refused',
      error: new ContextNotFoundError(),
    });
    expect(outcomeOf('hidden', { idempotency })).toEqual({ kind: 'replay', first: 3, count: 1 });
  });

  it('never sets the time of a stream back', () => {
    const first = decide(nothing, write([create]));
    const { draft } = decideAt({ ...roundInput(snapshotAfter(first), [output('a')]), now: 0 }, [
      write([output('a')]),
    ]);
    expect(draft.events[0]?.recordedAt).toBe(first.draft.events[0]?.recordedAt);
  });
});

function members(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));
}

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
    roundInput(
      snapshot,
      writes.flatMap(({ commands }) => commands),
    ),
    writes,
  );
}

/** Decides a round and loads missing items until the decision succeeds. */
function decideLoading(input: Partial<RoundInput>, writes: readonly PreparedWrite[]): Round {
  const { loaded, ...rest } = roundInput(
    nothing,
    writes.flatMap(({ commands }) => commands),
  );
  for (;;)
    try {
      return decideAt({ ...rest, ...input, loaded }, writes);
    } catch (error) {
      if (!(error instanceof ItemsMissingError)) throw error;
      loaded.add(error.keys);
    }
}

function roundInput({ head, state }: ContextSnapshot, commands: readonly ContextCommand[]) {
  const keys = commands.flatMap((command) => requiredKeys(command, state.lookup));
  return {
    snapshot: { head, state },
    loaded: new LoadedKeys().add(keys),
    now: Date.UTC(2026, 0, 1),
  };
}

function snapshotAfter({ draft: { head, state } }: Round): ContextSnapshot {
  return { head, state };
}

function stateAt({ draft: { events } }: Round, version: number): ContextState {
  return events
    .slice(0, version)
    .reduce((state, event) => state.apply(event), ContextState.from([]));
}

function decideAt(...[roundInput, writes]: Parameters<typeof decideRound>): Round {
  return runAtOnce(decideRound(roundInput, writes));
}
