import { appendController } from '../http/append-controller.js';
import { patchBody } from '../http/body.reader.js';

export const PatchPreferencesController = appendController('patchPreferences', {
  method: 'PATCH',
  path: '/v1/contexts/{contextId}/preferences',
  tag: 'Preferences',
  summary: 'Change preferences',
  description: 'The body is a JSON merge patch (RFC 7396): null removes a member.',
  body: patchBody('PreferencesSet'),
  example: { language: 'de', theme: null },
});
