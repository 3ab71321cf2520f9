import { sql } from 'kysely';

import { useTestStore } from '#testing';
import { type Policy, builtInPolicies } from '#visibility';

import { PolicyStore } from './policy-store.js';

const key = { workspace: 'w', audience: 'developer' };
const decisions: Policy = { show: [{ types: ['DecisionRecorded'] }] };
const tasks: Policy = { show: [{ types: ['TaskPlanned'] }] };

describe('the policies of a workspace', () => {
  const on = useTestStore();

  it('are cached until another process sets them', async () => {
    const [here, elsewhere] = [new PolicyStore(on.db), new PolicyStore(on.db)];
    await here.set(key, decisions, 'ada');
    const found = await here.find(key);
    expect(found).toEqual({ version: 1, policy: decisions });
    expect(await here.find(key)).toBe(found);
    await elsewhere.set(key, tasks, 'ada');
    expect(await here.find(key)).toEqual({ version: 2, policy: tasks });
  });

  it('are not cached after their rows were deleted', async () => {
    const policies = new PolicyStore(on.db);
    await policies.set(key, decisions, 'ada');
    await policies.find(key);
    await sql`delete from throughline.policy_versions`.execute(on.db);
    expect(await policies.find(key)).toEqual({
      version: 0,
      policy: builtInPolicies['developer'],
    });
    await policies.set(key, tasks, 'ada');
    expect(await policies.find(key)).toEqual({ version: 1, policy: tasks });
  });

  it('are listed in their current versions, built in or defined', async () => {
    const policies = new PolicyStore(on.db);
    const place = { workspace: 'listed', audience: 'medics' };
    await policies.set(place, decisions, 'ada');
    await policies.set(place, tasks, 'ada');
    await policies.set({ ...place, workspace: 'elsewhere', audience: 'others' }, tasks, 'ada');
    const audiences = await policies.audiences('listed');
    const builtIn = Object.keys(builtInPolicies).map((audience) => ({ audience, bytes: 0 }));
    const medics = { audience: 'medics', bytes: JSON.stringify(tasks).length };
    expect(audiences).toEqual([...builtIn, medics]);
    const found = await policies.findAll('listed', ['medics', 'reviewer', 'others']);
    expect([...found].toSorted()).toEqual([
      ['medics', { version: 2, policy: tasks }],
      ['reviewer', { version: 0, policy: builtInPolicies['reviewer'] }],
    ]);
  });
});
