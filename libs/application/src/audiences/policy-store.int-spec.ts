import { sql } from 'kysely';

import { useTestStore } from '#testing';
import { type Policy, builtInPolicies } from '#visibility';

import { PolicyStore } from './policy-store.js';

const place = { workspace: 'w', audience: 'developer' };
const decisions: Policy = { show: [{ types: ['DecisionRecorded'] }] };
const tasks: Policy = { show: [{ types: ['TaskPlanned'] }] };

describe('the policies of a workspace', () => {
  const on = useTestStore();

  it('are cached until another process sets them', async () => {
    const [here, elsewhere] = [new PolicyStore(on.db), new PolicyStore(on.db)];
    await here.set(place, decisions, 'ada');
    const found = await here.find(place);
    expect(found).toEqual({ version: 1, policy: decisions });
    expect(await here.find(place)).toBe(found);
    await elsewhere.set(place, tasks, 'ada');
    expect(await here.find(place)).toEqual({ version: 2, policy: tasks });
  });

  it('are not cached after their rows were deleted', async () => {
    const policies = new PolicyStore(on.db);
    await policies.set(place, decisions, 'ada');
    await policies.find(place);
    await sql`delete from throughline.policy_versions`.execute(on.db);
    expect(await policies.find(place)).toEqual({
      version: 0,
      policy: builtInPolicies['developer'],
    });
    await policies.set(place, tasks, 'ada');
    expect(await policies.find(place)).toEqual({ version: 1, policy: tasks });
  });
});
