import { apiPath } from '../../api/client.js';
import { type Page, useImmutableApi } from '../../api/use-api.js';
import { type FirstEvent, type Origin, originOf } from './origin.js';

/** The origin of a context, which its first event states, and the request for it. */
export function useOrigin(contextId: string) {
  const path = apiPath('contexts', contextId, 'events');
  const request = useImmutableApi<Page<FirstEvent>>(path, { limit: 1 });
  const origin: Origin | undefined =
    request.data && originOf(contextId, request.data.body.items[0]);
  return { request, origin };
}
