import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type EventData } from '#shared-context';

import { jsonBytes } from '../exact-json/exact-json.js';
import { shortText } from '../text/short-text.js';
import { messageFacts, messageText } from '../trajectory-jsonl/message-facts.js';
import { type StateSnapshot, listIn } from './state-snapshot.js';

const longestTitle = 120;
/** In bytes: the input is in every view, and the snapshot itself is an output. */
const longestInput = 200_000;
/** The input is in the state one step after the first snapshot. */
const maxSnapshots = 3;

/** The input of a thread, from its first snapshots, and the first message of a user as title. */
export function threadCreation(
  snapshots: readonly StateSnapshot[],
  threadId: string | undefined,
): EventData<'ContextCreated'> {
  const first = snapshots.slice(0, maxSnapshots);
  const input = first.flatMap(inputsOf).find((one) => jsonBytes(one) <= longestInput);
  const states = [...first.map(({ whole }) => whole['values']), input];
  const request = states.flatMap((state) => userText(state) ?? []).at(0);
  const named = threadId === undefined ? undefined : `LangGraph thread ${threadId}`;
  const title = [request, named].map((text) => text && shortText(text, longestTitle)).find(Boolean);
  return {
    ...(title !== undefined && { title }),
    ...(input !== undefined && { input }),
  };
}

/** The writes of the input node: `writes` of earlier releases, or the result of its task. */
function inputsOf({ writes, tasks }: StateSnapshot): JsonValue[] {
  const results = tasks.filter(({ name }) => name === '__start__').map(({ result }) => result);
  return [writes['__start__'], ...results].filter(
    (one): one is JsonValue => one !== undefined && one !== null,
  );
}

function userText(state: JsonValue | undefined): string | undefined {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return undefined;
  // The previous line excludes lists.
  const messages = listIn(state as JsonObject, 'messages').slice(0, 16);
  const user = messages.find((message) => messageFacts(message).role === 'user');
  return user === undefined ? undefined : messageText(user);
}
