import { type JsonObject, type JsonValue } from '#event-sourcing';

import { Members, type Part, isScalar, isText, objectIn } from './part.js';

const longestArgument = 80;
const maxArguments = 200;
const commandNames = ['command', 'cmd', 'code', 'script'] as const;
const pathNames = ['path', 'file_path', 'filePath', 'filename', 'file'] as const;
/** What is replaced, with what replaces it: no tool that only looks at a file is given both. */
const replacements = [
  ['old_str', 'new_str'],
  ['old_string', 'new_string'],
] as const;
/** Whole names of tools in small letters, without what separates their words: `get` or `update` alone may be about anything. */
const reading =
  /^(?:read|view|open|cat|(?:read|view|open|show|get)(?:files?|lines|file(?:contents?|lines)))$/;
const editing =
  /^(?:edit|write|create|insert|append|undoedit|multiedit|(?:edit|write|create|insert|append|update|patch|overwrite|modify)(?:to|into)?files?|strreplace(?:editor|basededittool)?|replaceinfile|(?:search(?:and)?|find(?:and)?)replace|apply(?:patch|diff|edits?))$/;
/** Commands of editors: what they do is said by the path. */
const editorCommand = /^(?:view|create|str_replace|insert|undo_edit|edit|read|write)$/;

/** What an agent called by `name` with these arguments, the argument that says most first: its command, or the file. */
export function actionParts(name: string, given: JsonValue | undefined): readonly Part[] {
  const args = objectIn(given);
  if (!args) return [calledWith(name, isScalar(given) ? String(given) : '')];
  const members = new Members(args);
  const purpose = members.part('purpose', null, 'thought', 'explanation');
  return [
    ...purpose,
    ...(fileParts(name, members, args) ?? commandParts(members) ?? callParts(name, args, members)),
  ];
}

function commandParts(members: Members): readonly Part[] | undefined {
  const command = members.takeText(...commandNames);
  return command === undefined ? undefined : [ranPart(command), ...members.rest('body')];
}

export function ranPart(command: string): Part {
  return { role: 'action', label: 'ran', value: command };
}

function fileParts(name: string, members: Members, args: JsonObject): readonly Part[] | undefined {
  const edit = editIn(args);
  // Any other command says more than the files it is about.
  if (edit === undefined && isText(args['command'])) return undefined;
  const verb = verbOf(edit ?? name, args);
  const path = verb && members.takeText(...pathNames);
  if (verb === undefined || path === undefined) return undefined;
  if (edit !== undefined) members.take('command');
  return [{ role: 'action', label: verb, value: path }, ...members.rest('body')];
}

function editIn({ command }: JsonObject): string | undefined {
  return typeof command === 'string' && editorCommand.test(command) ? command : undefined;
}

/** Undefined if it is not certain what the tool does with the file. */
function verbOf(name: string, args: JsonObject): 'read' | 'edited' | undefined {
  const words = name.toLowerCase().replaceAll(/[_-]/g, '');
  if (reading.test(words)) return 'read';
  return editing.test(words) || isReplacement(args) ? 'edited' : undefined;
}

function isReplacement(args: JsonObject): boolean {
  return replacements.some(([from, to]) => isText(args[from]) && typeof args[to] === 'string');
}

/** Short arguments stand in one line with the name. */
function callParts(name: string, args: JsonObject, members: Members): readonly Part[] {
  let said = '';
  for (const [label, value] of Object.entries(args)) {
    if (!isScalar(value) || String(value).length > longestArgument) continue;
    const longer = `${said}${said && ', '}${label}: ${String(value)}`;
    if (longer.length > maxArguments || value === '') continue;
    said = longer;
    members.take(label);
  }
  return [calledWith(name, said), ...members.rest('body')];
}

function calledWith(name: string, said: string): Part {
  return { role: 'action', label: 'called', value: said === '' ? name : `${name} ${said}` };
}
