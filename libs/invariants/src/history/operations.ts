import { type Operation } from '../linearizability.js';
import { type History } from './history.js';
import { type AppendLine, type ReadLine } from './history.schema.js';

/**
 * The operations of a history. Attempts with the same idempotency key are one operation: it took effect after the first
 * call, and before the first successful return.
 */
export function operationsOf({ appends, reads }: Pick<History, 'appends' | 'reads'>): Operation[] {
  const commands = Map.groupBy(appends, commandOf);
  return [
    ...[...commands.values()].flatMap(operationsOfCommand),
    ...reads.flatMap(operationOfRead),
  ];
}

/** A name of the command; attempts of the same command have the same name. */
export function commandOf({ stream, key, client, inv }: AppendLine): string {
  return key === undefined ? `${client} ${inv} ${stream}` : `${stream} ${key}`;
}

function operationsOfCommand(attempts: readonly AppendLine[]): Operation[] {
  const stored = attempts.filter(({ outcome }) => outcome === 'ok');
  const conflicts = attempts.filter(({ outcome }) => outcome === 'conflict').flatMap(conflictOf);
  const [first] =
    stored.length > 0 ? stored : attempts.filter(({ outcome }) => outcome === 'unknown');
  if (!first) return conflicts;
  const { stream, client, count, expected } = first;
  const inv = Math.min(...attempts.map((attempt) => attempt.inv));
  if (first.version === undefined)
    return [...conflicts, { kind: 'unknown-append', stream, client, inv, ret: Infinity, count }];
  const ret = Math.min(...stored.map((attempt) => attempt.ret ?? Infinity));
  const [from, to] = [first.version - count + 1, first.version];
  return [...conflicts, { kind: 'append', stream, client, inv, ret, from, to, expected }];
}

function conflictOf({ stream, client, inv, ret, expected, actual }: AppendLine): Operation[] {
  if (expected === undefined || actual === undefined) return [];
  return [{ kind: 'conflict', stream, client, inv, ret: ret ?? Infinity, expected, actual }];
}

function operationOfRead({ stream, client, inv, ret, version }: ReadLine): Operation[] {
  if (version === undefined) return [];
  return [{ kind: 'read', stream, client, inv, ret: ret ?? Infinity, version }];
}
