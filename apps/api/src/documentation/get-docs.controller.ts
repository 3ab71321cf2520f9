import { Controller } from '@nestjs/common';

import { type Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { ApiDocumentation } from './api-documentation.js';

const getDocs = endpoint({
  method: 'GET',
  path: '/docs',
  tag: 'Documentation',
  summary: 'Read the documentation of the API as one HTML page',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The page', mediaType: 'text/html' } },
});

@Controller()
export class GetDocsController {
  constructor(private readonly documentation: ApiDocumentation) {}

  @Handles(getDocs)
  getDocs(): Answer {
    return this.documentation.page();
  }
}
