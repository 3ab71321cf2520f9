import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { renderDocument } from '../context.document.js';
import { type NewContextEvent } from '../context.events.js';
import { RuleViolationError } from '../context.errors.js';
import {
  ContextClosedError,
  ContextExistsError,
  ContextNotFoundError,
} from '../life/life.errors.js';
import { renderCheckpoints } from './checkpoint.document.js';
import { InsideAppendError } from './inside-append.error.js';
import { baseOf, rebase } from './lineage.js';
import { CheckpointMovedError, VersionAheadError } from './lineage.errors.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', { title: 'Checkout', preferences: { tone: 'dry' } });
const closed = did('ContextClosed', {});
const source = { contextId: 'story-1', version: 2 };
const facts = {
  workspace: 'w',
  contextId: 'c',
  version: 1,
  lastModifiedAt: '',
  lastModifiedBy: '',
  size: { events: 1, bytes: 1, tokens: 1 },
};

describe('creating a checkpoint', () => {
  const checkpoint = did('CheckpointCreated', { name: 'ready', version: 1 });

  it('names the current version', () => {
    given(created)
      .when({ type: 'CreateCheckpoint', data: { name: 'ready' }, at: 1 })
      .then(checkpoint);
  });

  it('records nothing when repeated directly', () => {
    given(created, checkpoint)
      .when({ type: 'CreateCheckpoint', data: { name: 'ready' }, at: 2 })
      .thenNothing();
  });

  it('refuses a name that is taken', () => {
    given(created, checkpoint, did('StepStarted', { stepId: 's' }))
      .when({ type: 'CreateCheckpoint', data: { name: 'ready' }, at: 3 })
      .thenRefused(RuleViolationError, { code: 'validation-failed' });
  });

  it('is refused while closed', () => {
    given(created, closed)
      .when({ type: 'CreateCheckpoint', data: { name: 'ready' }, at: 2 })
      .thenRefused(ContextClosedError);
  });

  it('is listed in the order of creation', () => {
    const state = contextAfter(
      created,
      did('CheckpointCreated', { name: 'b', version: 1 }),
      did('CheckpointCreated', { name: 'a', version: 2 }),
    );
    expect(renderCheckpoints(state.values())).toMatchObject([
      { name: 'b', version: 1, createdBy: 'tester' },
      { name: 'a', version: 2, createdBy: 'tester' },
    ]);
  });
});

describe('restoring', () => {
  const checkpoint = did('CheckpointCreated', { name: 'ready', version: 1 });

  it('restores a version by number or checkpoint', () => {
    const restored = did('ContextRestored', { version: 1 });
    given(created)
      .when({ type: 'RestoreContext', data: { version: 1 }, at: 1 })
      .then(restored);
    given(created, checkpoint)
      .when({ type: 'RestoreContext', data: { checkpoint: 'ready' }, at: 2, resolved: 1 })
      .then(restored);
  });

  it.each([{}, { version: 1, checkpoint: 'ready' }, { checkpoint: 'unknown' }])(
    'is refused with %j',
    (data) => {
      given(created, checkpoint)
        .when({ type: 'RestoreContext', data, at: 2 })
        .thenRefused(RuleViolationError);
    },
  );

  it('is refused for a version that does not exist yet', () => {
    given(created)
      .when({ type: 'RestoreContext', data: { version: 2 }, at: 1 })
      .thenRefused(VersionAheadError, { code: 'invalid-position' });
  });

  it('is refused for a version inside a write, and moves a checkpoint there to the end of the write', () => {
    const append = { before: null, end: 2 };
    const restore = (data: object) =>
      given(created, checkpoint).when({
        type: 'RestoreContext',
        data,
        at: 2,
        resolved: 1,
        append,
      });
    restore({ version: 1 }).thenRefused(InsideAppendError, { details: { before: null, end: 2 } });
    restore({ checkpoint: 'ready' }).then(did('ContextRestored', { version: 2 }));
  });

  it.each([undefined, 2])(
    'is refused if the checkpoint named version %s at its lookup and another one now',
    (resolved) => {
      const data = { checkpoint: 'ready' };
      given(created, checkpoint)
        .when({ type: 'RestoreContext', data, at: 2, resolved })
        .thenRefused(CheckpointMovedError, { code: 'concurrency-exhausted' });
    },
  );

  it('is refused for a closed or an unknown context', () => {
    const command = { type: 'RestoreContext', data: { version: 1 } } as const;
    given(created, closed).when(command).thenRefused(ContextClosedError);
    given().when(command).thenRefused(ContextNotFoundError);
  });

  it('restores the content and retains the history of the context', () => {
    const before = contextAfter(created);
    const events: NewContextEvent[] = [
      created,
      did('PreferencesSet', { values: { tone: 'warm', more: 1 } }),
      did('DecisionRecorded', { decisionId: 'DEC-001', decision: 'd' }),
      did('CheckpointCreated', { name: 'ready', version: 3 }),
    ];
    const event = recordContextEvent(did('ContextRestored', { version: 1 }), 5);
    const base = baseOf('c', event);
    if (!base) throw new Error('a restore has a base');
    const state = rebase(base, contextAfter(...events).values(), before.values()).apply(event);
    expect(state.get('preference', 'tone')?.body).toBe('dry');
    expect(state.get('preference', 'more')).toBeUndefined();
    expect(state.get('decision', 'DEC-001')).toBeUndefined();
    expect(state.get('counter', 'decision')?.state).toEqual({ value: 1 });
    expect(state.get('checkpoint', 'ready')).toBeDefined();
  });
});

describe('forking', () => {
  it('creates a new context once', () => {
    given().when({ type: 'ForkContext', data: { source } }).then(did('ContextForked', { source }));
    given(created).when({ type: 'ForkContext', data: { source } }).thenRefused(ContextExistsError);
  });

  it('inherits the content in its order, as of the first version', () => {
    const before = contextAfter(
      created,
      did('StepOutputAdded', { stepId: 'b', output: 1, name: 'plan' }),
      did('StepOutputAdded', { stepId: 'a', output: 2 }),
      did('DecisionRecorded', { decisionId: 'DEC-001', decision: 'd' }),
      did('CheckpointCreated', { name: 'ready', version: 4 }),
      closed,
    );
    const event = recordContextEvent(
      did('ContextForked', { source: { contextId: 'story-1', version: 6 } }),
      1,
      { principal: 'forker' },
    );
    const base = baseOf('c', event);
    if (!base) throw new Error('a fork has a base');
    const state = rebase(base, [], before.values())
      .apply(event)
      .apply(recordContextEvent(did('StepOutputAdded', { stepId: 'own', output: 3 }), 2));
    const document = renderDocument(state.values(), facts);
    expect(document).toMatchObject({
      title: 'Checkout',
      status: 'open',
      createdBy: 'forker',
      decisionHistory: [{ decisionId: 'DEC-001', version: 1 }],
      agents: { tester: { outputs: { plan: { stepId: 'b', version: 1 } } } },
    });
    expect(Object.keys(Object(document['stepOutputs']))).toEqual(['b', 'a', 'own']);
    expect(state.get('checkpoint', 'ready')).toBeUndefined();
    expect(state.get('counter', 'decision')?.state).toEqual({ value: 1 });
  });
});
