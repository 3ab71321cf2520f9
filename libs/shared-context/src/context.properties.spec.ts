import fc from 'fast-check';

import { DomainError } from '#event-sourcing';
import {
  contextCommand,
  contextCommands,
  contextFrom,
  decisionCommand,
  recordContextEvent,
} from '#testing';

import { type ContextCommand } from './context.command.js';
import { decideContext, itemNeedsBody, namedKeys, requiredKeys } from './context.decider.js';
import { NotFoundError } from './context.errors.js';
import { renderDocument } from './context.document.js';
import { type NewContextEvent, type RecordedContextEvent } from './context.events.js';
import { foldEvent, touchedKeys } from './context.fold.js';
import { ContextState } from './context-state.js';
import { type Item, type ItemKey, type ItemLookup } from './item.js';
import { noActivity } from './outcome/activity.js';
import { activityOf, advanceActivity } from './steps/step.activity.js';

const anyCommand = fc.oneof(contextCommand, decisionCommand);

type DecisionResult = readonly NewContextEvent[] | DomainError;

const facts = {
  workspace: 'w',
  contextId: 'c',
  version: 1,
  lastModifiedAt: '',
  lastModifiedBy: '',
  size: { events: 1, bytes: 1, tokens: 1 },
};

function resultOf(command: ContextCommand, lookup: ItemLookup): DecisionResult {
  try {
    return decideContext(command, lookup);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** A lookup that throws for other keys than these, so that undeclared reads fail the test. */
function declared(keys: readonly ItemKey[], lookup: ItemLookup): ItemLookup {
  const known = new Set(keys.map(textOf));
  return (kind, key) => {
    if (!known.has(textOf({ kind, key }))) throw new Error(`undeclared ${kind} ${key}`);
    return lookup(kind, key);
  };
}

/** The items that a caller loads, without the bodies that rules do not read. */
function loaded(keys: readonly ItemKey[], lookup: ItemLookup): Item[] {
  return keys.flatMap(({ kind, key }) => {
    const item = lookup(kind, key);
    return item ? [itemNeedsBody(kind) ? item : { ...item, body: undefined }] : [];
  });
}

/** The changes of folding an event, without bodies. */
function changesWithoutBodies(event: RecordedContextEvent, lookup: ItemLookup) {
  return foldEvent(event, lookup).map((change) => ({ ...change, body: undefined }));
}

function isAboutUnknownItem({ message }: DomainError): boolean {
  return message.includes('names no ');
}

function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}

function documentOf(state: ContextState): string {
  return JSON.stringify(renderDocument(state.values(), facts));
}

describe('deciding', () => {
  it('the same command twice returns no events, refuses, or returns a repeatable event', () => {
    fc.assert(
      fc.property(contextCommands, anyCommand, (commands, command) => {
        const { state, events } = contextFrom(commands);
        const first = resultOf(command, state.lookup);
        if (first instanceof DomainError) return;
        const after = first.reduce(
          (before, event, at) => before.apply(recordContextEvent(event, events.length + at + 1)),
          state,
        );
        const second = resultOf(command, after.lookup);
        const repeats =
          command.type === 'AddStepOutput' ||
          command.type === 'EmitSignal' ||
          command.type === 'StartIteration' ||
          (command.type === 'RecordDecision' && command.data.decisionId === undefined);
        if (second instanceof DomainError)
          expect(repeats || command.type === 'CreateContext').toBe(true);
        else expect(second).toHaveLength(repeats ? 1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('requires the items that a command names, and refuses only named items as absent', () => {
    fc.assert(
      fc.property(contextCommands, anyCommand, (commands, command) => {
        const { state } = contextFrom(commands);
        const named = new Set(namedKeys(command).map(textOf));
        const without: ItemLookup = (kind, key) =>
          named.has(textOf({ kind, key })) ? undefined : state.get(kind, key);
        const answer = resultOf(command, without);
        // A repetition changes nothing, even if the named items are absent.
        if (named.size > 0) expect(answer instanceof DomainError || answer.length === 0).toBe(true);
        const alone = resultOf(command, (kind, key) =>
          kind === 'life' ? state.get(kind, key) : undefined,
        );
        const isAbsent =
          alone instanceof NotFoundError ||
          (alone instanceof DomainError && isAboutUnknownItem(alone));
        if (isAbsent) expect(named.size).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads only the required items, loaded in two rounds, without the bodies that it does not need', () => {
    fc.assert(
      fc.property(contextCommands, anyCommand, (commands, command) => {
        const { state, events } = contextFrom(commands);
        const named = requiredKeys(command, () => undefined);
        const first = ContextState.from(loaded(named, state.lookup));
        const keys = requiredKeys(command, first.lookup);
        const second = ContextState.from(loaded(keys, state.lookup));
        expect(new Set(requiredKeys(command, second.lookup).map(textOf))).toEqual(
          new Set(keys.map(textOf)),
        );
        const answer = resultOf(command, declared(keys, second.lookup));
        expect(answer).toEqual(resultOf(command, state.lookup));
        if (answer instanceof DomainError) return;
        for (const [at, event] of answer.entries()) {
          const recorded = recordContextEvent(event, events.length + at + 1);
          expect(changesWithoutBodies(recorded, second.lookup)).toEqual(
            changesWithoutBodies(recorded, state.lookup),
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves at most one live decision per topic, to which the topic refers', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        const items = [...contextFrom(commands).state.values()];
        const live = items.filter(
          ({ kind, state }) =>
            kind === 'decision' && state['status'] === 'live' && state['topic'] !== undefined,
        );
        const named = items.filter(({ kind }) => kind === 'topic');
        const pairs = (list: [unknown, unknown][]) =>
          list.map((pair) => JSON.stringify(pair)).sort();
        expect(pairs(live.map(({ key, state }) => [state['topic'], key]))).toEqual(
          pairs(named.map(({ key, state }) => [key, state['decisionId']])),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('superseding', () => {
  it('affects a decision once, by the decision in its state', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        const decisions = [...contextFrom(commands).state.values()].filter(
          ({ kind, state }) =>
            kind === 'decision' && state['status'] !== 'pending' && state['status'] !== 'rejected',
        );
        const replacing = decisions.flatMap(({ key, state }) =>
          state['supersedes'] === undefined ? [] : [JSON.stringify([state['supersedes'], key])],
        );
        const replaced = decisions.flatMap(({ key, state }) =>
          state['status'] === 'superseded' ? [JSON.stringify([key, state['supersededBy']])] : [],
        );
        expect(replacing.sort()).toEqual(replaced.sort());
      }),
      { numRuns: 1000 },
    );
  });
});

describe('folding', () => {
  it('reads and changes only the items that the event touches', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        let state = ContextState.from([]);
        for (const event of contextFrom(commands).events) {
          const touched = touchedKeys(event);
          const changes = foldEvent(event, declared(touched, state.lookup));
          const known = new Set(touched.map(textOf));
          expect(changes.every((change) => known.has(textOf(change)))).toBe(true);
          expect(new Set(changes.map(textOf)).size).toBe(changes.length);
          state = state.apply(event);
        }
      }),
    );
  });

  it('produces the same bytes from stored events and stored items', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        const { state, events } = contextFrom(commands);
        const restored = events.reduce((before, event) => {
          const stored = ContextState.from(
            JSON.parse(JSON.stringify([...before.values()])) as Item[],
          );
          return stored.apply(JSON.parse(JSON.stringify(event)) as typeof event);
        }, ContextState.from([]));
        expect(documentOf(restored)).toBe(documentOf(state));
      }),
    );
  });

  it('advances the activity to the same value as computing it from all items', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        let state = ContextState.from([]);
        let activity = noActivity;
        for (const event of contextFrom(commands).events) {
          activity = advanceActivity(activity, event, state.lookup);
          state = state.apply(event);
          expect(activity).toEqual(activityOf([...state.values()]));
        }
      }),
    );
  });

  it('stores the versions of the first response to an idempotency key', () => {
    const idempotency = { key: 'a'.repeat(64), fingerprint: 'b'.repeat(64), index: 0, count: 2 };
    const event = { type: 'StepStarted', data: { stepId: 's' } } as const;
    const first = recordContextEvent(event, 4, { idempotency });
    const second = recordContextEvent(event, 5, { idempotency: { ...idempotency, index: 1 } });
    const key = { kind: 'idempotency', key: idempotency.key } as const;
    expect(touchedKeys(first)).toContainEqual(key);
    expect(touchedKeys(second)).not.toContainEqual(key);
    const state = ContextState.from([]).apply(first).apply(second);
    expect(state.get('idempotency', idempotency.key)).toMatchObject({
      fromVersion: 4,
      state: { fingerprint: idempotency.fingerprint, count: 2, version: 4 },
    });
  });
});
