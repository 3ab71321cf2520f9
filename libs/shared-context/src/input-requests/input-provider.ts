import { isJsonObject } from '#event-sourcing';
import { type ContextPlace, placeOfPath } from '../context-place.js';
import { type Item } from '../item.js';
import { member } from '../json.js';

/** Who provides a value. `isPerson`: whether the write is trusted as one of a person. */
export type InputProvider = Readonly<{ agentId: string; isPerson: boolean }>;

/**
 * The path at which a provided value becomes readable; undefined if its provider may not fill that place. People may fill any
 * place. An agent may fill its own outputs, and places that somebody else has asked it for; the inputs of an agent only if that
 * agent has asked. So nobody can answer a request of its own for another agent's output.
 */
export function pathToFill(request: Item, provider: InputProvider | undefined): string | undefined {
  const path = pathOf(request);
  const place = placeOfPath(path);
  if (!place || !provider) return undefined;
  return provider.isPerson || mayFill(place, request, provider) ? path : undefined;
}

function mayFill(place: ContextPlace, { state }: Item, { agentId }: InputProvider): boolean {
  if (place.kind === 'output') return agentId === place.agentId;
  const [asking, asked] = [state['agentId'], state['from']];
  if (agentId !== asked) return false;
  return place.kind === 'input' ? asking === place.agentId : asking !== agentId;
}

/** What a request asks for. */
export function pathOf({ body }: Item): string | undefined {
  const path = isJsonObject(body) ? member(body, 'path') : undefined;
  return typeof path === 'string' ? path : undefined;
}
