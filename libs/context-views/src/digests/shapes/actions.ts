import { type JsonObject, type JsonValue } from '#event-sourcing';

import { Members, type Part, isScalar, isText, objectIn } from './part.js';

const longestArgument = 80;
const maxArguments = 200;
const commandNames = ['command', 'cmd', 'code', 'script'] as const;
const pathNames = ['path', 'file_path', 'filePath', 'filename', 'file'] as const;
/** Old text with the new text that replaces it: a tool that only reads a file has neither. */
const replacements = [
  ['old_str', 'new_str'],
  ['old_string', 'new_string'],
] as const;
/** Complete names of tools in lower case, without separators of words: `get` or `update` alone may mean anything. */
const reading =
  /^(?:read|view|open|cat|(?:read|view|open|show|get)(?:files?|lines|file(?:contents?|lines)))$/;
const editing =
  /^(?:edit|write|create|insert|append|undoedit|multiedit|(?:edit|write|create|insert|append|update|patch|overwrite|modify)(?:to|into)?files?|strreplace(?:editor|basededittool)?|replaceinfile|(?:search(?:and)?|find(?:and)?)replace|apply(?:patch|diff|edits?))$/;
/** Commands of editors. The path is enough to describe them. */
const editorCommand = /^(?:view|create|str_replace|insert|undo_edit|edit|read|write)$/;

/** The parts of a call of `name` with these arguments, the most important argument first: its command, or the file. */
export function actionParts(name: string, input: JsonValue | undefined): readonly Part[] {
  const args = objectIn(input);
  if (!args) return [calledWith(name, isScalar(input) ? String(input) : '')];
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
  // Any other command is more important than its files.
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

/** Undefined if it is not certain how the tool uses the file. */
function verbOf(name: string, args: JsonObject): 'read' | 'edited' | undefined {
  const words = name.toLowerCase().replaceAll(/[_-]/g, '');
  if (reading.test(words)) return 'read';
  return editing.test(words) || isReplacement(args) ? 'edited' : undefined;
}

function isReplacement(args: JsonObject): boolean {
  return replacements.some(([from, to]) => isText(args[from]) && typeof args[to] === 'string');
}

/** Short arguments are in one line with the name. */
function callParts(name: string, args: JsonObject, members: Members): readonly Part[] {
  let text = '';
  for (const [label, value] of Object.entries(args)) {
    if (!isScalar(value) || String(value).length > longestArgument) continue;
    const longer = `${text}${text && ', '}${label}: ${String(value)}`;
    if (longer.length > maxArguments || value === '') continue;
    text = longer;
    members.take(label);
  }
  return [calledWith(name, text), ...members.rest('body')];
}

function calledWith(name: string, text: string): Part {
  return { role: 'action', label: 'called', value: text === '' ? name : `${name} ${text}` };
}
