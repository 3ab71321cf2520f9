import { ContextReader } from '#read-models';
import { type DecodedEvent, type Item, contextStream, decodeEvent } from '#shared-context';
import { did, useTestStore } from '#testing';
import { VisibilityFilter, FilteredReader } from '#visibility';

import { DecisionAuthor } from './decision-author.js';

const id = { workspace: 'default', contextId: 'c' };
const longestLook = 4_096;

describe('the author of a decision', () => {
  const test = useTestStore();
  const author = () => {
    const { db, store } = test;
    return new DecisionAuthor(store, new FilteredReader(new ContextReader(db, store), store, db));
  };
  const eventAt = async (version: number): Promise<DecodedEvent> => {
    const [stored] = await test.store.readStream(contextStream(id), { from: version, limit: 1 });
    if (!stored) throw new Error(`there is no version ${version}`);
    return decodeEvent(stored);
  };
  const by = (principal: string, stepId: string = principal) => ({
    ...did('StepStarted', { stepId }),
    principal,
  });

  it('is searched for in at most 4,096 earlier events, page by page', async () => {
    const decided = longestLook + 3;
    const places = new Map([
      [2, 'too-far'],
      [decided - longestLook, 'furthest'],
      [decided - 513, 'third-page'],
      [decided - 257, 'second-page'],
      [decided - 256, 'end-of-page'],
      [decided - 1, 'just-before'],
    ]);
    const events = Array.from({ length: decided - 2 }, (_, at) =>
      by(places.get(at + 2) ?? 'others', `s-${at}`),
    );
    await test.history.append('c', did('ContextCreated', {}));
    for (let from = 0; from < events.length; from += 500)
      await test.history.append('c', ...events.slice(from, from + 500));
    await test.history.append('c', did('DecisionRecorded', { decisionId: 'D', decision: 'd' }));
    const decision = await eventAt(decided);
    for (const [version, principal] of places) {
      const found = await author().lastWrite(id, undefined, { ...decision, principal });
      expect([principal, found]).toEqual([principal, principal === 'too-far' ? 0 : version]);
    }
    const nobody = await author().lastWrite(id, undefined, { ...decision, principal: 'nobody' });
    expect(nobody).toBe(0);
  }, 60_000);

  it('is considered only with writes that the reader sees', async () => {
    const decision = did('DecisionRecorded', { decisionId: 'D', decision: 'd' });
    await test.history.append(
      'c',
      did('ContextCreated', {}),
      by('dev', 'shown'),
      {
        ...did('RiskRaised', { riskId: 'r', description: 'd', severity: 'low' }),
        principal: 'dev',
      },
      { ...decision, principal: 'dev' },
    );
    const policy = { show: [{ types: ['StepStarted', 'DecisionRecorded'] }] };
    const filter = new VisibilityFilter(policy, { audience: 'x', agentId: null });
    const event = await eventAt(4);
    expect(await author().lastWrite(id, undefined, event)).toBe(3);
    expect(await author().lastWrite(id, filter, event)).toBe(2);
    expect(await author().lastWrite(id, undefined, await eventAt(2))).toBe(0);
  });

  it('is taken from the event at the version of the decision, if that event recorded it', async () => {
    await test.history.append(
      'c',
      did('ContextCreated', {}),
      did('DecisionRecorded', { decisionId: 'D', decision: 'd' }),
      by('dev'),
    );
    const item = (key: string, version: number): Item => ({
      kind: 'decision',
      key,
      fromVersion: 2,
      state: { version },
      body: undefined,
    });
    const recorded = await author().recording(id, item('D', 2));
    expect(recorded).toMatchObject({ type: 'DecisionRecorded', version: 2 });
    // Items of another context, items of another event, and items beyond the end.
    for (const other of [item('D', 0), item('D', -3), item('E', 2), item('D', 3), item('D', 9)])
      expect(await author().recording(id, other)).toBeUndefined();
  });
});
