import { z } from 'zod';

import { type Expression } from '#expressions';

import { type Route } from '../compiled-parts.js';
import { route } from '../fields.schema.js';
import { expressionSource } from '../names.schema.js';

export const conditionFields = {
  condition: expressionSource.describe('An expression that decides where the run goes.'),
  then: route.describe('Where it goes if the condition is true. Default: next.').optional(),
  else: route.describe('Where it goes otherwise. Default: next.').optional(),
};
const shape = z.object(conditionFields);

export type ConditionFields = Readonly<z.output<typeof shape>>;
export type ConditionWork = Readonly<{
  condition: Expression;
  then: Route | undefined;
  else: Route | undefined;
}>;
