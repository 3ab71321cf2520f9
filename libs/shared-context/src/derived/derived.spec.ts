import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { ContextState } from '../context-state.js';
import { rebase } from '../lineage/lineage.js';
import { valueDerived } from './derived.events.js';
import { renderAllDerived } from './derived.document.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const scored = {
  path: 'project_metadata.complexity_score',
  value: 14 / 3,
  from: [{ path: 'analyst.outputs.project_brief', version: 2 }],
  transformation: 'complexity_scoring',
  transformationVersion: 1,
};
const derived = did('ValueDerived', scored);
const derive = (data: object = {}) =>
  ({ type: 'DeriveValue', data: { ...scored, ...data }, author: 'tester' }) as const;

describe('derived values', () => {
  it('are recorded once, even if they are derived again from other versions', () => {
    given(created).when(derive()).then(derived);
    given(created, derived).when(derive()).thenNothing();
    const newer = { from: [{ path: 'analyst.outputs.project_brief', version: 7 }] };
    given(created, derived).when(derive(newer)).thenNothing();
    given(created, derived)
      .when(derive({ transformationVersion: 2 }))
      .thenNothing();
  });

  it('are recorded again if the value, the problem or the transformation changes', () => {
    for (const changed of [
      { value: 5 },
      { value: null, problem: 'len is for a text' },
      { transformation: 'another' },
    ])
      given(created, derived)
        .when(derive(changed))
        .then(did('ValueDerived', { ...scored, ...changed }));
  });

  it('are recorded again with another visibility', () => {
    const working = { ...derive(), visibility: 'working' } as const;
    given(created, { ...derived, visibility: 'working' })
      .when(working)
      .thenNothing();
    given(created, { ...derived, visibility: 'working' })
      .when(derive())
      .then(derived);
    given(created, derived)
      .when(working)
      .then({ ...derived, visibility: 'working' });
  });

  it('distinguish null from a value that was never derived', () => {
    const nothing = derive({ value: null, problem: 'no list' });
    given(created).when(nothing).then(did('ValueDerived', nothing.data));
    given(created, did('ValueDerived', nothing.data)).when(nothing).thenNothing();
  });

  it('are in the document by path, with their sources', () => {
    const inputs = { ...scored, path: 'architect.inputs.constraints', value: ['PCI'] };
    const after = contextAfter(created, derived, did('ValueDerived', inputs));
    const document = renderAllDerived([...after.values()]);
    expect(Object.keys(document)).toEqual([
      'architect.inputs.constraints',
      'project_metadata.complexity_score',
    ]);
    expect(document['project_metadata.complexity_score']).toEqual({
      value: 14 / 3,
      from: [{ path: 'analyst.outputs.project_brief', version: 2 }],
      transformation: 'complexity_scoring',
      transformationVersion: 1,
      agentId: 'tester',
      timestamp: expect.any(String),
      version: 2,
    });
  });

  it('have versions of the fork in a fork', () => {
    const source = contextAfter(created, did('PreferencesSet', { values: { a: 1 } }), derived);
    const base = { contextId: 'source', version: 3, forked: true };
    const fork = rebase(base, ContextState.from([]).values(), source.values());
    const shown = renderAllDerived([...fork.values()])['project_metadata.complexity_score'];
    expect(shown).toMatchObject({ version: 1, from: [{ version: 1 }] });
  });

  it('require sources with valid versions', () => {
    const from = [{ path: 'context.plan', version: 0 }];
    expect(valueDerived.schema.safeParse(scored).success).toBe(true);
    expect(valueDerived.schema.safeParse({ ...scored, from }).success).toBe(false);
    expect(valueDerived.schema.safeParse({ ...scored, value: undefined }).success).toBe(false);
  });
});
