import { z } from 'zod';

import { contextEvents } from '#shared-context';
import { policySchema, withheldMembers } from '#visibility';

/** The body of `PUT`: a policy, or the complete answer of `GET`. */
export const policyToSet = policySchema.extend({
  audience: z.string().optional().meta({ description: 'The audience in the path' }),
  version: z.int().optional().meta({ description: 'From the answer of GET; ignored' }),
  builtIn: z.boolean().optional().meta({ description: 'From the answer of GET; ignored' }),
});

/** The answer of `GET`; version 0 is built in. */
export const policyView = z.strictObject({
  audience: z.string(),
  version: z.int(),
  builtIn: z.boolean(),
  ...policySchema.shape,
});

const extent = z.enum(['all', 'some', 'none']);

const typeVisibility = z.strictObject({
  type: z.enum(contextEvents.map(({ type }) => type)),
  record: extent.meta({
    description:
      'How many events of visibility `record` are visible; `some` if it depends on their author, step, kind, addressee or decision',
  }),
  working: extent.meta({ description: 'How many events of visibility `working` are visible' }),
  withheld: z.array(z.enum(withheldMembers)).meta({
    description: 'Members that are removed from some or all of the visible events',
  }),
});

/** An item of the list: a policy with its effect. */
export const listedPolicy = z.strictObject({
  ...policyView.shape,
  events: z.array(typeVisibility).meta({
    description: 'How much the audience sees of each type of events',
  }),
});
