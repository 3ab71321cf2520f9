import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const DeclareDependencyController = appendController('declareDependency', {
  path: '/v1/contexts/{contextId}/dependencies',
  tag: 'Plan',
  summary: 'Declare a dependency',
  description: 'The same name again as the other kind corrects it.',
  body: eventBody('DependencyDeclared'),
  example: { name: 'Redis', kind: 'external' },
});
