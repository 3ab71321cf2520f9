import { type JsonObject, isJsonObject } from '#event-sourcing';

import { ranPart } from './actions.js';
import { Members, type Part, isScalar } from './part.js';

const exitNames = ['exit_code', 'exitCode', 'exitcode', 'returncode', 'return_code', 'exit_status'];
const commandNames = ['command', 'cmd'];

/** `{command, exit_code, stdout, stderr}`. */
export function shellResult(held: JsonObject): readonly Part[] | undefined {
  const isResult = exitNames.some((name) => isScalar(held[name]));
  if (!isResult && !('stdout' in held && 'stderr' in held)) return undefined;
  const members = new Members(held);
  return [
    ...shellParts(members),
    ...members.part('text', 'stderr', 'stderr'),
    ...members.part('text', null, 'stdout', 'output', 'content'),
    ...members.rest(),
  ];
}

/** The command and its exit code, which may be given among `metadata`. */
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
