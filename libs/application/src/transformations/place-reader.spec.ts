import { type JsonValue } from '#event-sourcing';
import { type ContextState, type EventData, type NewContextEvent } from '#shared-context';
import { contextAfter, did } from '#testing';
import { PathIndex, placedPath } from '#transformations';

import { PlaceReader } from './place-reader.js';

const budget = 'tester.outputs.brief.budget';
const derivation = { transformation: 'limits', transformationVersion: 1, from: [] };
const limits = { ...placedPath('pm.inputs.limits'), transformationId: 'limits' };
const max = { ...placedPath('pm.inputs.limits.max'), transformationId: 'limits' };
const places = new PathIndex([limits, max].map((place) => [place.names, place]));
const reader = new PlaceReader(places);

const created = did('ContextCreated', { metadata: { project: { name: 'shop' } } });
const brief = (output: JsonValue) => did('StepOutputAdded', { stepId: 's', name: 'brief', output });
const provided = (path: string, value?: JsonValue, visibility?: NewContextEvent['visibility']) => {
  const data: EventData<'InputProvided'> = { inputRequestId: path, path, value };
  return did('InputProvided', data, visibility);
};
const derived = (path: string, value: JsonValue) =>
  did('ValueDerived', { ...derivation, path, value });

function read(path: string, ...events: readonly NewContextEvent[]) {
  return readIn(contextAfter(created, ...events), path);
}

/** Reads with only the items of the reader's keys loaded, as handlers do. */
function readIn(state: ContextState, path: string) {
  const place = placedPath(path);
  const names = new Set(reader.keys(place).map(({ kind, key }) => `${kind} ${key}`));
  return reader.read(place, (kind, key) => {
    if (!names.has(`${kind} ${key}`)) throw new Error(`${kind} ${key} is not among the keys`);
    return state.get(kind, key);
  });
}

const valueAt = (path: string, ...events: readonly NewContextEvent[]) =>
  read(path, ...events).value;

describe('a provided value', () => {
  it('is found at its path, within it and around it', () => {
    const events = [brief({ title: 't' }), provided(budget, { hours: 40 })];
    expect(read(budget, ...events)).toEqual({
      value: { hours: 40 },
      version: 3,
      visibility: 'record',
    });
    expect(valueAt(`${budget}.hours`, ...events)).toBe(40);
    expect(valueAt('tester.outputs.brief', ...events)).toEqual({
      title: 't',
      budget: { hours: 40 },
    });
    expect(read('tester.outputs.brief.title', ...events)).toMatchObject({ value: 't', version: 2 });
  });

  it.each([
    'tester.outputs.brief',
    'tester.outputs.brief.a.b',
    'pm.inputs.limits',
    'context.plan.days',
    'global_context.budget',
    'project_metadata.project.budget',
    'project_metadata["a.b"].__proto__',
  ])('is found at %s if no other value is there', (path) => {
    expect(valueAt(path, provided(path, 7))).toBe(7);
  });

  it('does not override a stated or derived value', () => {
    expect(valueAt(budget, provided(budget, 7), brief({ budget: 5 }))).toBe(5);
    expect(valueAt(budget, brief({ budget: 0 }), provided(budget, 7))).toBe(0);
    expect(valueAt(budget, brief({ budget: null }), provided(budget, 7))).toBe(7);
    expect(valueAt(budget, brief({ budget: 5 }), provided('tester.outputs.brief', {}))).toBe(5);
    const path = 'pm.inputs.limits';
    expect(valueAt(path, provided(path, 7), derived(path, ['PCI']))).toEqual(['PCI']);
    const both = [provided(path, { max: 7, min: 1 }), derived(`${path}.max`, 9)];
    expect(valueAt(path, ...both)).toEqual({ max: 9 });
    const parts = [provided(`${path}.min`, 1), derived(`${path}.max`, 9)];
    expect(valueAt(path, ...parts)).toEqual({ max: 9, min: 1 });
    expect(valueAt(`${path}.min`, ...parts)).toBe(1);
  });

  it.each(['a text', ['a', 'list'], 7, false])('does not replace %j on its path', (output) => {
    const events = [brief(output), provided(budget, 7)];
    expect(valueAt(budget, ...events)).toBeUndefined();
    expect(valueAt('tester.outputs.brief', ...events)).toEqual(output);
    const part = provided(`${budget}.hours`, 40);
    expect(valueAt(`${budget}.hours`, brief({ budget: output }), part)).toBeUndefined();
  });

  it('replaces values that were provided earlier for a part of it or around it', () => {
    const whole = provided('tester.outputs.brief', { budget: 5, title: 't' });
    expect(valueAt(budget, whole, provided(budget, 7))).toBe(7);
    expect(valueAt(budget, provided(budget, 7), whole)).toBe(5);
    expect(valueAt('tester.outputs.brief.title', whole, provided(budget, 7))).toBe('t');
    expect(valueAt(budget, whole, provided(budget, 7), provided(budget))).toBe(5);
  });

  it('does not add to the output of a step of another agent', () => {
    const by = (agentId: string, event: NewContextEvent): NewContextEvent => ({
      ...event,
      origin: { agentId, timestamp: null },
    });
    const plan = did('StepOutputAdded', { stepId: 'plan', output: { title: 't' } });
    const days = provided('context.plan.days', 3);
    expect(valueAt('context.plan.days', by('pm', plan), by('pm', days))).toBe(3);
    expect(valueAt('context.plan.days', by('pm', plan), by('dev', days))).toBeUndefined();
    expect(valueAt('context.plan.days', by('dev', days), by('pm', plan))).toBeUndefined();
    const ofPerson = { ...by('admin', days), trust: 'human' } as const;
    expect(valueAt('context.plan.days', by('pm', plan), ofPerson)).toBe(3);
  });

  it('is a working note if its event is one, and so is the value that contains it', () => {
    const events = [brief({ title: 't' }), provided(budget, 7, 'working')];
    const visibilityAt = (path: string) => read(path, ...events).visibility;
    expect(visibilityAt(budget)).toBe('working');
    expect(visibilityAt('tester.outputs.brief')).toBe('working');
    expect(visibilityAt('tester.outputs.brief.title')).toBe('record');
    expect(read(budget, ...events, brief({ budget: 5 })).visibility).toBe('record');
  });

  it('takes steps for every name of every part that may be added', () => {
    const deep = 'tester.outputs.brief.a.b.c.d.e.f.g.h';
    const stepsOf = (count: number) => {
      const parts = Array.from({ length: count }, (_, at) => provided(`${deep}.m${at}`, at));
      const state = contextAfter(created, ...parts);
      let steps = 0;
      reader.read(placedPath('tester.outputs.brief'), state.lookup, (taken) => (steps += taken));
      return steps;
    };
    expect(stepsOf(200) - stepsOf(100)).toBeGreaterThan(100 * 10);
  });
});
