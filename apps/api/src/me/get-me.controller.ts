import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { roles } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const getMe = endpoint({
  method: 'GET',
  path: '/v1/me',
  tag: 'Keys',
  summary: 'Read the principal and the rights of this key',
  access: 'read',
  audience: 'none',
  answers: {
    200: {
      description: 'The principal',
      schema: z.looseObject({
        principal: z.string(),
        role: z.enum(roles),
        workspace: z.string(),
        root: z.boolean(),
        keyId: z.string().nullable(),
        agentId: z.string().nullable(),
        audiences: z.array(z.string()),
        actsFor: z.array(z.string()),
        contexts: z.array(z.string()).nullable(),
        workflows: z.array(z.string()).nullable(),
      }),
    },
  },
});

@Controller()
export class GetMeController {
  @Handles(getMe)
  getMe(@Input(getMe) input: InputOf<typeof getMe>): Answer {
    const { name: principal, isRoot: root, ...rest } = input.principal;
    return new Answer(200, { principal, root, ...rest });
  }
}
