import { type JsonObject, isJsonObject } from '#event-sourcing';

import { actionParts, ranPart } from './actions.js';
import { Members, type Part, isText } from './part.js';
import { shellParts } from './shell-results.js';

/** `{thought, action, observation}`, as agents record a turn: the action is what they type. */
export function turn(held: JsonObject): readonly Part[] | undefined {
  if (!isText(held['action']) || !('observation' in held || 'response' in held)) return undefined;
  const members = new Members(held);
  return [
    ...members.part('purpose', null, 'thought', 'thoughts', 'reasoning'),
    ranPart(members.takeText('action') ?? ''),
    ...members.part('text', null, 'observation'),
    ...wrapped(members, ['response', 'state', 'messages', 'query']),
    ...members.rest(),
  ];
}

/** `{action, args}`: the name of an action with its arguments, beside them or among them. */
export function actionEvent(held: JsonObject): readonly Part[] | undefined {
  const { action, args } = held;
  if (!isText(action) || !(isJsonObject(args) || 'thought' in held || 'is_confirmed' in held))
    return undefined;
  const members = new Members(held);
  members.take('action');
  const purpose = members.part('purpose', null, 'thought', 'reasoning');
  const given = isJsonObject(args) ? members.take('args') : undefined;
  const message = wrapped(members, ['message']);
  const done = isJsonObject(given) ? saidOrDone(action, given) : [];
  if (done.length > 0) return [...purpose, ...done, ...message, ...members.rest()];
  return [...purpose, ...actionParts(action, restOf(held)), ...wrappersOf(members)];
}

/** A message is what it says. */
function saidOrDone(action: string, args: JsonObject): readonly Part[] {
  if (!/^(?:message|think|finish|system|reject)$/.test(action)) return actionParts(action, args);
  const members = new Members(args);
  return [
    ...members.part('purpose', null, 'content', 'thought', 'final_thought'),
    ...(action === 'finish' ? [{ role: 'outcome', label: null, value: 'finished' } as const] : []),
    ...members.rest('text'),
  ];
}

/** `{observation, content, extras}`: what came of an action. */
export function observationEvent(held: JsonObject): readonly Part[] | undefined {
  const { observation, content } = held;
  if (!isText(observation) || typeof content !== 'string') return undefined;
  const members = new Members(held);
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

/** What was done is an event of its own. */
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

function restOf(held: JsonObject): JsonObject {
  const rest = Object.entries(held).filter(([name]) => name !== 'action' && name !== 'thought');
  return Object.fromEntries(rest);
}

function wrappersOf(members: Members): readonly Part[] {
  return members.rest().filter(({ role }) => role === 'wrapper');
}

function wrapped(members: Members, names: readonly string[]): readonly Part[] {
  return names.flatMap((name) => members.part('wrapper', name, name));
}
