import { isJsonObject } from '#event-sourcing';
import { type ContextPlace, placeOfPath } from '../context-place.js';
import { type Item } from '../item.js';
import { member } from '../json.js';

/** The writer who provides a value. `isPerson`: whether the write is trusted as one of a person. */
export type InputProvider = Readonly<{ agentId: string; isPerson: boolean }>;

/**
 * The path at which a provided value becomes readable; undefined if its provider may not fill that place. A person may
 * fill any place. An agent may fill its own outputs, and places that another writer requested from it; the inputs of an
 * agent only if that agent requested them. So an agent cannot fill another agent's output by answering its own request.
 */
export function pathToFill(request: Item, provider: InputProvider | undefined): string | undefined {
  const path = pathOf(request);
  const place = placeOfPath(path);
  if (!place || !provider) return undefined;
  return provider.isPerson || mayFill(place, request, provider) ? path : undefined;
}

function mayFill(place: ContextPlace, { state }: Item, { agentId }: InputProvider): boolean {
  if (place.kind === 'output') return agentId === place.agentId;
  const [requester, requestedFrom] = [state['agentId'], state['from']];
  if (agentId !== requestedFrom) return false;
  return place.kind === 'input' ? requester === place.agentId : requester !== agentId;
}

/** The path of the requested value. */
export function pathOf({ body }: Item): string | undefined {
  const path = isJsonObject(body) ? member(body, 'path') : undefined;
  return typeof path === 'string' ? path : undefined;
}
