import { type JsonObject, isJsonObject } from '#event-sourcing';

import { ranPart } from './actions.js';
import { Members, type Part, isScalar } from './part.js';

const exitNames = ['exit_code', 'exitCode', 'exitcode', 'returncode', 'return_code', 'exit_status'];
const commandNames = ['command', 'cmd'];

/** `{command, exit_code, stdout, stderr}`. */
export function shellResult(record: JsonObject): readonly Part[] | undefined {
  const isResult = exitNames.some((name) => isScalar(record[name]));
  if (!isResult && !('stdout' in record && 'stderr' in record)) return undefined;
  const members = new Members(record);
  return [
    ...shellParts(members),
    ...members.part('text', 'stderr', 'stderr'),
    ...members.part('text', null, 'stdout', 'output', 'content'),
    ...members.rest(),
  ];
}

/** The command and its exit code, which may be in `metadata`. */
export function shellParts(members: Members): readonly Part[] {
  const command = members.takeText(...commandNames, 'code');
  const metadata = members.take('metadata');
  const about = new Members(isJsonObject(metadata) ? metadata : {});
  const outcome = members.named('outcome', ...exitNames);
  return [
    ...(command === undefined ? [] : [ranPart(command)]),
    ...(outcome.length > 0 ? outcome : about.named('outcome', ...exitNames)),
    ...(metadata !== undefined && !isJsonObject(metadata)
      ? [{ label: 'metadata', value: metadata }]
      : []),
    ...about.rest().map((part) => ({ ...part, role: 'wrapper' as const })),
  ];
}
