import { createHash } from 'node:crypto';

import { contextRegistry } from '#shared-context';

import { builtInPolicies, earlierPolicies } from './built-in-policies.js';
import { policySchema, typesNamed } from './policy.js';

describe('the built-in policies', () => {
  it.each(Object.entries(builtInPolicies))('fit the policy schema for %s', (_, policy) => {
    expect(policySchema.parse(policy)).toEqual(policy);
  });

  it.each(Object.entries(builtInPolicies))('name only existing event types for %s', (_, policy) => {
    const types = typesNamed(policy).map(({ type }) => type);
    const unknown = types.filter((type) => type !== '*' && !contextRegistry.find(type));
    expect(unknown).toEqual([]);
  });

  // Receipts state the hash of a policy: to change a policy, add a new one and move the old one to `earlierPolicies`.
  it('never change by a byte, and neither do the earlier ones', () => {
    const hashed = Object.entries(builtInPolicies).map(([audience, policy]) => [
      audience,
      [policy, ...(earlierPolicies[audience] ?? [])].map(hashOf),
    ]);
    expect(Object.fromEntries(hashed)).toEqual({
      developer: ['b3b6f150fdff07ea', '6ddf76857453ec2d'],
      reviewer: ['560f31523a63b98f', 'f0807a3ab64da725', '77823e5010d9fbee'],
      'failure-analyst': ['bb1468cca8cb0c0d', '3d4e85656df4f593', '6ed5ecd491680050'],
      retrospective: ['ba58be279ef5f459'],
    });
  });
});

function hashOf(policy: object): string {
  return createHash('sha256').update(JSON.stringify(policy)).digest('hex').slice(0, 16);
}
