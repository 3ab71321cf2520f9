import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindSettingsQuery, settingsSchema } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const getSettings = endpoint({
  method: 'GET',
  path: '/v1/settings',
  tag: 'Settings',
  summary: 'Read the defaults of the workspace',
  access: 'read',
  audience: 'none',
  answers: { 200: { description: 'The current settings', schema: settingsSchema } },
});

@Controller()
export class GetSettingsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getSettings)
  async getSettings(@Input(getSettings) input: InputOf<typeof getSettings>): Promise<Answer> {
    return new Answer(200, await this.queries.execute(new FindSettingsQuery(input.principal)));
  }
}
