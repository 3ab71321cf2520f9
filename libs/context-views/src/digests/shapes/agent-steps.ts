import { type JsonObject, isJsonObject } from '#event-sourcing';

import { actionParts, ranPart } from './actions.js';
import { Members, type Part, isText } from './part.js';
import { shellParts } from './shell-results.js';

/** `{thought, action, observation}`, as agents record a turn: the action is a command that they type. */
export function turn(record: JsonObject): readonly Part[] | undefined {
  if (!isText(record['action']) || !('observation' in record || 'response' in record))
    return undefined;
  const members = new Members(record);
  return [
    ...members.part('purpose', null, 'thought', 'thoughts', 'reasoning'),
    ranPart(members.takeText('action') ?? ''),
    ...members.part('text', null, 'observation'),
    ...wrapped(members, ['response', 'state', 'messages', 'query']),
    ...members.rest(),
  ];
}

/** `{action, args}`: the name of an action with its arguments, next to them or among them. */
export function actionEvent(record: JsonObject): readonly Part[] | undefined {
  const { action, args } = record;
  if (!isText(action) || !(isJsonObject(args) || 'thought' in record || 'is_confirmed' in record))
    return undefined;
  const members = new Members(record);
  members.take('action');
  const purpose = members.part('purpose', null, 'thought', 'reasoning');
  const input = isJsonObject(args) ? members.take('args') : undefined;
  const message = wrapped(members, ['message']);
  const done = isJsonObject(input) ? saidOrDone(action, input) : [];
  if (done.length > 0) return [...purpose, ...done, ...message, ...members.rest()];
  return [...purpose, ...actionParts(action, restOf(record)), ...wrappersOf(members)];
}

/** The text of a message is shown without the name of the action. */
function saidOrDone(action: string, args: JsonObject): readonly Part[] {
  if (!/^(?:message|think|finish|system|reject)$/.test(action)) return actionParts(action, args);
  const members = new Members(args);
  return [
    ...members.part('purpose', null, 'content', 'thought', 'final_thought'),
    ...(action === 'finish' ? [{ role: 'outcome', label: null, value: 'finished' } as const] : []),
    ...members.rest('text'),
  ];
}

/** `{observation, content, extras}`: the result of an action. */
export function observationEvent(record: JsonObject): readonly Part[] | undefined {
  const { observation, content } = record;
  if (!isText(observation) || typeof content !== 'string') return undefined;
  const members = new Members(record);
  members.take('observation');
  const extras = members.take('extras');
  const about = new Members({ ...(isJsonObject(extras) ? extras : {}), ...commandIn(members) });
  const path = about.part('action', null, 'path');
  return [
    ...(path.length > 0 ? path : shellParts(about)).map(asResult),
    ...members.part('text', null, 'content'),
    ...wrapped(members, ['message', 'success']),
    ...wrapped(about, ['old_content', '_diff_cache', 'prev_exist', 'new_content']),
    ...about.rest('body'),
    ...members.rest(),
  ];
}

/** The action itself is recorded as another event. */
function asResult(part: Part): Part {
  return part.role === 'action' ? { ...part, label: 'result of' } : part;
}

function commandIn(members: Members): JsonObject {
  const [command, exit] = [members.take('command', 'code'), members.take('exit_code')];
  return {
    ...(command !== undefined && { command }),
    ...(exit !== undefined && { exit_code: exit }),
  };
}

function restOf(record: JsonObject): JsonObject {
  const rest = Object.entries(record).filter(([name]) => name !== 'action' && name !== 'thought');
  return Object.fromEntries(rest);
}

function wrappersOf(members: Members): readonly Part[] {
  return members.rest().filter(({ role }) => role === 'wrapper');
}

function wrapped(members: Members, names: readonly string[]): readonly Part[] {
  return names.flatMap((name) => members.part('wrapper', name, name));
}
