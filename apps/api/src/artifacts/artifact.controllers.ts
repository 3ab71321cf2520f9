import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';
import { ListArtifactsController } from './list-artifacts.controller.js';

export const artifactControllers = [
  ListArtifactsController,
  appendController('referenceArtifact', {
    path: '/v1/contexts/{contextId}/artifacts',
    tag: 'Artifacts',
    summary: 'Reference an artifact',
    description:
      'Referencing the same id again adds a revision; an identical artifact changes nothing.',
    body: eventBody('ArtifactReferenced'),
    example: { artifactId: 'login-spec', artifactType: 'specification', path: 'docs/login.md' },
  }),
];
