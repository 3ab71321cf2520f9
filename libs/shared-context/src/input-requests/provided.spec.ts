import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { clientPayloads } from '../client-event.js';
import { ContextState } from '../context-state.js';
import { placeOfPath } from '../context-place.js';
import { contextDecider } from '../context.decider.js';
import { type EventData, type NewContextEvent, type Visibility } from '../context.events.js';
import { touchedKeys } from '../context.fold.js';
import { type InputProvider } from './input-provider.js';
import { providedKey, providedValues } from './provided.item.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const budgetPath = 'analyst.outputs.brief.budget';
const analyst = { agentId: 'analyst', isPerson: false };
const mallory = { agentId: 'mallory', isPerson: false };
const tester = { agentId: 'tester', isPerson: false };
const person = { agentId: 'admin', isPerson: true };

type Asked = Partial<EventData<'InputRequested'>>;

const requested = (asked: Asked = {}, visibility?: Visibility) =>
  did(
    'InputRequested',
    { inputRequestId: 'IN-1', path: budgetPath, from: 'analyst', ...asked },
    visibility,
  );
const provided = (said: Partial<EventData<'InputProvided'>>, visibility?: Visibility) =>
  did('InputProvided', { inputRequestId: 'IN-1', requestedBy: 'tester', ...said }, visibility);
const provide = (provider: InputProvider, said: object = { value: 5 }) =>
  ({ type: 'ProvideInput', data: { inputRequestId: 'IN-1', ...said }, provider }) as const;

describe('the path of what is provided', () => {
  it('is the one that was requested, and nothing that a client states', () => {
    given(created, requested())
      .when(provide(analyst))
      .then(provided({ value: 5, path: budgetPath }));
    const parses = (said: object) =>
      clientPayloads.InputProvided.safeParse({ inputRequestId: 'IN-1', ...said }).success;
    expect(parses({ value: 5 })).toBe(true);
    expect(parses({ value: 5, path: budgetPath })).toBe(false);
    expect(parses({ value: 5, requestedBy: 'tester' })).toBe(false);
  });

  it.each([
    ['the agent whose output it is', {}, analyst, true],
    ['a person', {}, person, true],
    ['another agent', {}, mallory, false],
    ['another agent that asked itself', { from: 'mallory' }, mallory, false],
    ['the agent itself, asked by whomever', { from: 'mallory' }, analyst, true],
    ['whom the agent has asked for its input', { path: 'tester.inputs.limits' }, analyst, true],
    ['somebody else', { path: 'tester.inputs.limits' }, mallory, false],
    ['whom another agent has asked', { path: 'architect.inputs.limits' }, analyst, false],
    ['a person', { path: 'architect.inputs.limits' }, person, true],
    ['who was asked', { path: 'global_context.budget' }, analyst, true],
    ['who was asked', { path: 'project_metadata.budget' }, analyst, true],
    ['who was asked', { path: 'context.plan.budget' }, analyst, true],
    ['who was not asked', { path: 'global_context.budget' }, mallory, false],
    ['who asked itself', { path: 'global_context.budget', from: 'tester' }, tester, false],
    ['who asked itself', { path: 'context.plan.budget', from: 'tester' }, tester, false],
    ['a person', { path: 'global_context.budget' }, person, true],
    ['who was asked, at no place of a context', { path: 'the budget' }, analyst, false],
  ] satisfies [string, Asked, InputProvider, boolean][])(
    'is stated if %s provides it: %j',
    (_, asked, provider, isStated) => {
      const request = requested(asked);
      const { path } = { path: budgetPath, ...asked };
      given(created, request)
        .when(provide(provider))
        .then(provided({ value: 5, ...(isStated && { path }) }));
    },
  );

  it('is not stated if nobody knows who provides it', () => {
    given(created, requested())
      .when({ type: 'ProvideInput', data: { inputRequestId: 'IN-1', value: 5 } })
      .then(provided({ value: 5 }));
  });

  it('is stated once by who may, also of a value that was provided without it', () => {
    const withPath = provided({ value: 5, path: budgetPath });
    given(created, requested(), provided({ value: 5 }))
      .when(provide(analyst))
      .then(withPath);
    given(created, requested(), provided({ value: 5 }))
      .when(provide(mallory))
      .thenNothing();
    given(created, requested(), withPath).when(provide(analyst)).thenNothing();
    given(created, requested(), withPath).when(provide(mallory)).thenNothing();
  });

  it('of a working note is one; put on record it says nothing of the request', () => {
    const request = requested({}, 'working');
    given(created, request)
      .when(provide(analyst))
      .then(provided({ value: 5, path: budgetPath }, 'working'));
    given(created, request)
      .when({ ...provide(analyst), visibility: 'record' })
      .then(did('InputProvided', { inputRequestId: 'IN-1', value: 5 }));
  });
});

describe('what is provided for a place', () => {
  const after = (...events: readonly NewContextEvent[]) =>
    providedValues(contextAfter(created, ...events).get('provided', 'analyst.outputs.brief'));
  const told = (...events: readonly NewContextEvent[]) =>
    after(...events).map(({ names, value }) => [names.join('.'), value]);
  const whole = (value: EventData<'InputProvided'>['value']) =>
    provided({ inputRequestId: 'IN-2', path: 'analyst.outputs.brief', value });
  const part = (value: EventData<'InputProvided'>['value']) =>
    provided({ path: budgetPath, value });

  it('names where it belongs, who provides it and whether it is on record', () => {
    const by = { inputRequestId: 'IN-1', agentId: 'tester' };
    expect(after(requested(), { ...part(5), trust: 'human' })).toEqual([
      { ...by, names: ['budget'], value: 5, isPerson: true, onRecord: true },
    ]);
    expect(after(requested(), { ...part(5), visibility: 'working' })).toEqual([
      { ...by, names: ['budget'], value: 5, isPerson: false, onRecord: false },
    ]);
  });

  it('is the newest for a path, with the parts that were provided for it since', () => {
    expect(told(part(1), part(2))).toEqual([['budget', 2]]);
    expect(told(part(1), whole({ title: 't' }))).toEqual([['', { title: 't' }]]);
    expect(told(whole({ title: 't' }), part(2))).toEqual([
      ['', { title: 't' }],
      ['budget', 2],
    ]);
  });

  it('stays beside what others provide, behind them if it comes from a person', () => {
    const by = (agentId: string, event: NewContextEvent): NewContextEvent => ({
      ...event,
      origin: { agentId, timestamp: null },
    });
    const byPerson = (event: NewContextEvent): NewContextEvent => ({ ...event, trust: 'human' });
    const again = (value: number) => provided({ inputRequestId: 'IN-3', path: budgetPath, value });
    expect(told(part(1), by('mallory', again(2)))).toEqual([
      ['budget', 1],
      ['budget', 2],
    ]);
    expect(told(byPerson(part(1)), by('mallory', again(2)))).toEqual([
      ['budget', 2],
      ['budget', 1],
    ]);
    expect(told(part(1), byPerson(again(2)))).toEqual([['budget', 2]]);
    expect(told(byPerson(part(1)), by('mallory', whole({})), byPerson(again(3)))).toEqual([
      ['', {}],
      ['budget', 3],
    ]);
  });

  it('can be provided again once it was replaced', () => {
    const first = requested({ path: 'analyst.outputs.brief.budget' });
    const second = requested({ inputRequestId: 'IN-2' });
    const replaced = [
      created,
      first,
      second,
      part(5),
      provided({ inputRequestId: 'IN-2', path: budgetPath, value: 6 }),
    ];
    given(...replaced)
      .when(provide(person))
      .then(provided({ value: 5, path: budgetPath }));
  });

  it('is taken back by an answer without a value to the same request', () => {
    expect(told(whole({}), part(1), part(undefined))).toEqual([['', {}]]);
    expect(told(part(null), whole(undefined))).toEqual([['budget', null]]);
  });

  it('does not change if it stays in its request', () => {
    expect(told(requested(), part(1), provided({ value: 2 }))).toEqual([['budget', 1]]);
    expect(told(requested(), provided({ value: 2 }))).toEqual([]);
  });

  it('is there without the request, which may be hidden', () => {
    expect(told(part(1))).toEqual([['budget', 1]]);
  });

  it('has a key that the event alone tells', () => {
    const keys = (path: string) =>
      touchedKeys(recordContextEvent(provided({ path }), 3)).map(({ kind, key }) => [kind, key]);
    const ofRequest = ['input-request', 'IN-1'];
    expect(keys('["analyst"].outputs.brief.a.b')).toEqual([
      ofRequest,
      ['provided', 'analyst.outputs.brief'],
    ]);
    expect(keys('context["a.b"]')).toEqual([ofRequest, ['provided', 'context["a.b"]']]);
    expect(keys('no such place')).toEqual([ofRequest]);
    expect(keys('global_context')).toEqual([ofRequest]);
    expect(keys('global_context.\u0085')).toEqual([ofRequest]);
    expect(keys('analyst.outputs["\\ud800"]')).toEqual([ofRequest]);
  });

  it('survives in a state that is read from its items', () => {
    const items = [...contextAfter(created, requested(), part(1)).values()];
    const place = placeOfPath(budgetPath);
    expect(place).toMatchObject({ kind: 'output', rest: ['budget'] });
    const { kind, key } = providedKey(place ?? { kind: 'global', member: '', rest: [] });
    expect(providedValues(ContextState.from(items).get(kind, key))).toHaveLength(1);
  });
});
