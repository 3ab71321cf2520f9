import { type ContextPlace, placeOfPath } from '../context-place.js';
import { type Item } from '../item.js';
import { isJsonObject, member } from '../json.js';

/** Who provides a value. `isPerson`: whether the write is trusted as one of a person. */
export type InputProvider = Readonly<{ agentId: string; isPerson: boolean }>;

/**
 * The path at which the value of a provider is found, if it may be: nobody speaks for an agent by asking for its output and
 * answering. People may provide anything. An agent provides its own outputs, and elsewhere what somebody else has asked it
 * for; the inputs of an agent only if that agent has asked for them.
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
