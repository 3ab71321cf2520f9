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
});
