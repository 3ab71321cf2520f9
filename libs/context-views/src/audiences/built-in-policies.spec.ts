import { contextRegistry } from '#shared-context';

import { builtInPolicies } from './built-in-policies.js';
import { policySchema, typesNamed } from './policy.js';

/** Of runs, which are to come. */
const later = ['StepAttemptStarted', 'StepAttemptFailed'];

describe('the built-in policies', () => {
  it.each(Object.entries(builtInPolicies))('say of %s what any policy may say', (_, policy) => {
    expect(policySchema.parse(policy)).toEqual(policy);
  });

  it.each(Object.entries(builtInPolicies))(
    'name for %s types of events that exist',
    (_, policy) => {
      const types = typesNamed(policy).map(({ type }) => type);
      const unknown = types.filter((type) => type !== '*' && !contextRegistry.find(type));
      expect(unknown.filter((type) => !later.includes(type))).toEqual([]);
    },
  );
});
