import { z } from 'zod';

import { type Expression } from '#expressions';

import { expressionSource } from '../names.schema.js';

export const transformFields = {
  transform: expressionSource.describe('An expression: its value is the result.'),
};
const shape = z.object(transformFields);

export type TransformFields = Readonly<z.output<typeof shape>>;
export type TransformWork = Readonly<{ transform: Expression }>;
