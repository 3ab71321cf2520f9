import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {
  preferences: { tone: 'dry', limits: { lines: 200, files: 3 } },
});

describe('global context and preferences', () => {
  it('records a merge patch as sent', () => {
    const values = { tone: null, limits: { lines: 100 } };
    given(created)
      .when({ type: 'SetPreferences', data: { values } })
      .then(did('PreferencesSet', { values }));
  });

  it.each([
    ['the same value', { tone: 'dry' }],
    ['a part of the same object', { limits: { files: 3 } }],
    ['the removal of a missing member', { colour: null, limits: { depth: null } }],
    ['nothing', {}],
  ])('records nothing for %s', (_, values) => {
    given(created).when({ type: 'SetPreferences', data: { values } }).thenNothing();
  });

  it('separates global context and preferences', () => {
    given(created)
      .when({ type: 'SetGlobalContext', data: { values: { tone: 'dry' } } })
      .then(did('GlobalContextSet', { values: { tone: 'dry' } }));
  });

  it('merges objects and replaces everything else', () => {
    const after = contextAfter(
      created,
      did('PreferencesSet', { values: { tone: ['a'], limits: { lines: null, depth: 2 } } }),
    );
    expect(after.get('preference', 'tone')?.body).toEqual(['a']);
    expect(after.get('preference', 'limits')?.body).toEqual({ files: 3, depth: 2 });
  });

  it('removes a member set to null', () => {
    const after = contextAfter(created, did('PreferencesSet', { values: { tone: null } }));
    expect(after.get('preference', 'tone')).toBeUndefined();
  });

  it('does not change items that a patch leaves equal', () => {
    const patch = did('PreferencesSet', { values: { tone: 'dry', limits: { lines: 1 } } });
    const after = contextAfter(created, patch);
    expect(after.get('preference', 'tone')?.fromVersion).toBe(1);
    expect(after.get('preference', 'limits')?.fromVersion).toBe(2);
  });
});
