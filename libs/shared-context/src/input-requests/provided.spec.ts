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

type RequestMembers = Partial<EventData<'InputRequested'>>;

const requested = (asked: RequestMembers = {}, visibility?: Visibility) =>
  did(
    'InputRequested',
    { inputRequestId: 'IN-1', path: budgetPath, from: 'analyst', ...asked },
    visibility,
  );
const provided = (said: Partial<EventData<'InputProvided'>>, visibility?: Visibility) =>
  did('InputProvided', { inputRequestId: 'IN-1', requestedBy: 'tester', ...said }, visibility);
const provide = (provider: InputProvider, said: object = { value: 5 }) =>
  ({ type: 'ProvideInput', data: { inputRequestId: 'IN-1', ...said }, provider }) as const;

describe('the path of provided input', () => {
  it('is the requested path, which clients cannot send', () => {
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
    ['another agent that requested from itself', { from: 'mallory' }, mallory, false],
    [
      'the agent itself, even if the request names another agent',
      { from: 'mallory' },
      analyst,
      true,
    ],
    [
      'the agent from which the agent requested its input',
      { path: 'tester.inputs.limits' },
      analyst,
      true,
    ],
    ['another agent than requested', { path: 'tester.inputs.limits' }, mallory, false],
    [
      'the agent from which a third agent requested it',
      { path: 'architect.inputs.limits' },
      analyst,
      false,
    ],
    ['a person', { path: 'architect.inputs.limits' }, person, true],
    ['the requested agent', { path: 'global_context.budget' }, analyst, true],
    ['the requested agent', { path: 'project_metadata.budget' }, analyst, true],
    ['the requested agent', { path: 'context.plan.budget' }, analyst, true],
    ['an agent from which it was not requested', { path: 'global_context.budget' }, mallory, false],
    [
      'an agent that requested from itself',
      { path: 'global_context.budget', from: 'tester' },
      tester,
      false,
    ],
    [
      'an agent that requested from itself',
      { path: 'context.plan.budget', from: 'tester' },
      tester,
      false,
    ],
    ['a person', { path: 'global_context.budget' }, person, true],
    ['the requested agent, at no place of a context', { path: 'the budget' }, analyst, false],
  ] satisfies [string, RequestMembers, InputProvider, boolean][])(
    'is recorded or omitted if the provider is %s: %j',
    (_, asked, provider, isStated) => {
      const request = requested(asked);
      const { path } = { path: budgetPath, ...asked };
      given(created, request)
        .when(provide(provider))
        .then(provided({ value: 5, ...(isStated && { path }) }));
    },
  );

  it('is omitted if the provider is unknown', () => {
    given(created, requested())
      .when({ type: 'ProvideInput', data: { inputRequestId: 'IN-1', value: 5 } })
      .then(provided({ value: 5 }));
  });

  it('is recorded once for an allowed provider, also after the value was provided without a path', () => {
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

  it('is recorded in a working note, and omitted if the answer to a working note is on record', () => {
    const request = requested({}, 'working');
    given(created, request)
      .when(provide(analyst))
      .then(provided({ value: 5, path: budgetPath }, 'working'));
    given(created, request)
      .when({ ...provide(analyst), visibility: 'record' })
      .then(did('InputProvided', { inputRequestId: 'IN-1', value: 5 }));
  });
});

describe('the values that are provided for a place', () => {
  const after = (...events: readonly NewContextEvent[]) =>
    providedValues(contextAfter(created, ...events).get('provided', 'analyst.outputs.brief'));
  const valuesAfter = (...events: readonly NewContextEvent[]) =>
    after(...events).map(({ names, value }) => [names.join('.'), value]);
  const whole = (value: EventData<'InputProvided'>['value']) =>
    provided({ inputRequestId: 'IN-2', path: 'analyst.outputs.brief', value });
  const part = (value: EventData<'InputProvided'>['value']) =>
    provided({ path: budgetPath, value });

  it('include names, provider and visibility', () => {
    const by = { inputRequestId: 'IN-1', agentId: 'tester' };
    expect(after(requested(), { ...part(5), trust: 'human' })).toEqual([
      { ...by, names: ['budget'], value: 5, isPerson: true, onRecord: true },
    ]);
    expect(after(requested(), { ...part(5), visibility: 'working' })).toEqual([
      { ...by, names: ['budget'], value: 5, isPerson: false, onRecord: false },
    ]);
  });

  it('are the newest ones for each path, followed by newer parts', () => {
    expect(valuesAfter(part(1), part(2))).toEqual([['budget', 2]]);
    expect(valuesAfter(part(1), whole({ title: 't' }))).toEqual([['', { title: 't' }]]);
    expect(valuesAfter(whole({ title: 't' }), part(2))).toEqual([
      ['', { title: 't' }],
      ['budget', 2],
    ]);
  });

  it('include those of several providers, with values of people last', () => {
    const by = (agentId: string, event: NewContextEvent): NewContextEvent => ({
      ...event,
      origin: { agentId, timestamp: null },
    });
    const byPerson = (event: NewContextEvent): NewContextEvent => ({ ...event, trust: 'human' });
    const again = (value: number) => provided({ inputRequestId: 'IN-3', path: budgetPath, value });
    expect(valuesAfter(part(1), by('mallory', again(2)))).toEqual([
      ['budget', 1],
      ['budget', 2],
    ]);
    expect(valuesAfter(byPerson(part(1)), by('mallory', again(2)))).toEqual([
      ['budget', 2],
      ['budget', 1],
    ]);
    expect(valuesAfter(part(1), byPerson(again(2)))).toEqual([['budget', 2]]);
    expect(valuesAfter(byPerson(part(1)), by('mallory', whole({})), byPerson(again(3)))).toEqual([
      ['', {}],
      ['budget', 3],
    ]);
  });

  it('can be provided again after they were replaced', () => {
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

  it('are removed by an answer without a value to the same request', () => {
    expect(valuesAfter(whole({}), part(1), part(undefined))).toEqual([['', {}]]);
    expect(valuesAfter(part(null), whole(undefined))).toEqual([['budget', null]]);
  });

  it('do not change by an answer without a path', () => {
    expect(valuesAfter(requested(), part(1), provided({ value: 2 }))).toEqual([['budget', 1]]);
    expect(valuesAfter(requested(), provided({ value: 2 }))).toEqual([]);
  });

  it('exist without the request, which may be hidden', () => {
    expect(valuesAfter(part(1))).toEqual([['budget', 1]]);
  });

  it('have a key that is computed from the event alone', () => {
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

  it('are restored from stored items', () => {
    const items = [...contextAfter(created, requested(), part(1)).values()];
    const place = placeOfPath(budgetPath);
    expect(place).toMatchObject({ kind: 'output', rest: ['budget'] });
    const { kind, key } = providedKey(place ?? { kind: 'global', member: '', rest: [] });
    expect(providedValues(ContextState.from(items).get(kind, key))).toHaveLength(1);
  });
});
