import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { ApiDocumentation } from './api-documentation.js';

const getOpenApi = endpoint({
  method: 'GET',
  path: '/openapi.json',
  tag: 'Documentation',
  summary: 'Read the OpenAPI 3.1 document of the API',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The document' } },
});

@Controller()
export class GetOpenApiController {
  constructor(private readonly documentation: ApiDocumentation) {}

  @Handles(getOpenApi)
  getOpenApi(): Answer {
    return new Answer(200, this.documentation.openApi());
  }
}
