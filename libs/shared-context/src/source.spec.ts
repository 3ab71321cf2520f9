import { contextAfter, did } from '#testing';

const created = did('ContextCreated', {});

function sourcesOf(
  kind: 'step' | 'preference' | 'patched' | 'decision',
  key: string,
  ...events: ReturnType<typeof did>[]
) {
  return contextAfter(created, ...events)
    .get(kind, key)
    ?.sources?.map(({ type, visibility }) => `${type} ${visibility}`);
}

describe('the sources of an item', () => {
  it('are the events that changed it, without duplicates, newest last', () => {
    const start = did('StepStarted', { stepId: 's' });
    const fail = {
      ...did('StepFailed', { stepId: 's', reason: 'no' }),
      visibility: 'working',
    } as const;
    expect(sourcesOf('step', 's', start, fail, start)).toEqual([
      'StepFailed working',
      'StepStarted record',
    ]);
  });

  it('include the step and the subject of an event', () => {
    const output = did('StepOutputAdded', { stepId: 's', output: 1 });
    expect(contextAfter(created, output).get('step-output', 's')?.sources).toEqual([
      {
        type: 'StepOutputAdded',
        visibility: 'record',
        author: 'tester',
        step: 's',
        about: null,
      },
    ]);
    const note = did('RecordAppended', { recordId: 'r', stepId: 's', kind: 'custom', body: 'b' });
    expect(contextAfter(created, note).get('record', 'r')?.sources).toMatchObject([
      { step: 's', about: 'custom' },
    ]);
    const signal = did('SignalEmitted', { signal: 'REVIEW PASSED', subject: 's' });
    const [item] = [...contextAfter(created, signal).values()].filter(
      ({ kind }) => kind === 'signal',
    );
    expect(item?.sources).toMatchObject([{ step: null, about: 'REVIEW PASSED' }]);
  });

  it('are dropped if there are too many different ones, so that no item grows with the history', () => {
    const outputs = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        did('StepOutputAdded', { stepId: `s-${n}`, output: n, name: 'report' }),
      );
    const report = (count: number) =>
      contextAfter(created, ...outputs(count)).get('output', '["tester","report"]');
    expect(report(64)?.sources).toHaveLength(64);
    expect(report(65)).toMatchObject({ fromVersion: 66, sources: undefined });
    expect(report(200)?.sources).toBeUndefined();
  });

  it('have a lower limit for completions, which are stored for every completed step', () => {
    const outputs = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        did('StepOutputAdded', { stepId: `s-${n}`, output: n }),
      );
    const completion = (count: number) =>
      contextAfter(created, ...outputs(count)).get('completion', 'after:tester');
    expect(completion(16)?.sources).toHaveLength(16);
    expect(completion(17)).toMatchObject({ state: { version: 18 }, sources: undefined });
  });

  it('include the superseding decision', () => {
    const first = did('DecisionRecorded', { decisionId: 'a', decision: 'x' });
    const second = did('DecisionRecorded', {
      decisionId: 'b',
      decision: 'y',
      supersedes: 'a',
      stepId: 's',
    });
    expect(contextAfter(created, first, second).get('decision', 'a')?.sources).toMatchObject([
      { step: null },
      { step: 's' },
    ]);
  });

  it('of patched values include removals and repetitions', () => {
    const set = did('PreferencesSet', { values: { a: 1 } });
    const secret = {
      ...did('PreferencesSet', { values: { a: null } }),
      visibility: 'working',
    } as const;
    const sources = ['PreferencesSet record', 'PreferencesSet working'];
    expect(sourcesOf('patched', 'preference', set, secret)).toEqual(sources);
    expect(sourcesOf('preference', 'a', set, secret)).toBeUndefined();
    expect(sourcesOf('patched', 'preference', set, { ...set, visibility: 'working' })).toEqual(
      sources,
    );
    expect(sourcesOf('patched', 'preference')).toBeUndefined();
  });
});
