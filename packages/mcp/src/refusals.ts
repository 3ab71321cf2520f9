import { type CallToolResult } from '@modelcontextprotocol/server';
import { isThroughlineError, type ThroughlineError } from '@throughline/sdk';
import { z } from 'zod';

import { refusal } from './answers.js';
import { fit } from './budget.js';
import { codeSpan, fenced, oneLine } from './quoting.js';
import { type ToolContext } from './tool-context.js';

/** Tokens for the missed events of a conflict. */
const missedTokens = 2_500;
const longestEvent = 2_000;

/** The next step for a problem, by its code. */
const advice: Readonly<Record<string, string>> = {
  'decision-topic-taken': 'read it with context_view, then decision_record with supersedes',
  'stale-attempt': 'stop this step, and work with action claim',
  'context-not-found': 'context_find, or context_append with create',
  'not-found': 'context_view shows what there is',
  'context-closed': 'inform a person: the context is closed',
  'circuit-open': 'stop repeating this: a person resets the circuit breaker',
  'rate-limited': 'wait, then the same call',
  forbidden: 'this key may not do this: continue without it',
  'budget-too-small': 'the same call with a larger maxTokens',
};

const unknownCodes: ReadonlySet<string> = new Set([
  'no-answer',
  'write-aborted',
  'unexpected-answer',
  'outcome-unknown',
]);

type MissedEvent = Readonly<{ version: number; type: string; principal: string; data: unknown }>;

/**
 * `takesKey`: whether the call can be repeated with its key. `created`: a context that it created before it failed. `ifUnknown`: the
 * next step if it is unknown whether the write was stored.
 */
type RefusalOptions = Readonly<{
  takesKey?: boolean;
  created?: string | undefined;
  ifUnknown?: string;
}>;

const lookForWrite = 'context_changes shows whether it was stored: if not, the same call again';

/** Returns the answer to a failed call. Throws errors that are not caused by its input or by the server. */
export async function refusalOf(
  error: unknown,
  toolContext: ToolContext,
  { created, takesKey = false, ifUnknown = lookForWrite }: RefusalOptions = {},
): Promise<CallToolResult> {
  if (error instanceof z.ZodError) return faults(error);
  if (!isThroughlineError(error)) throw error;
  const stored = storedBefore(created, error);
  if (isThroughlineError(error, 'version-conflict')) return conflict(error, toolContext, stored);
  const text = `${stored}${error.code}: ${codeSpan(detailOf(error), 2_000)}`;
  return refusal(text, { next: nextOf(error, takesKey, ifUnknown) });
}

function nextOf(error: ThroughlineError, takesKey: boolean, ifUnknown: string): string {
  const { code, idempotencyKey } = error;
  if (!isUnknown(error)) return advice[code] ?? 'correct the call, or continue without it';
  // A request without a key is a read.
  if (idempotencyKey === undefined) return 'the same call again';
  return takesKey ? `the same call again with key ${idempotencyKey}` : ifUnknown;
}

/** Returns whether a write may have been stored: a failing server or proxy does not report that. */
function isUnknown({ code, status = 0 }: ThroughlineError): boolean {
  return unknownCodes.has(code) || status >= 500;
}

function storedBefore(created: string | undefined, error: ThroughlineError): string {
  if (created === undefined) return '';
  const items = isUnknown(error)
    ? 'it is unknown whether the items were stored'
    : 'no item was stored';
  return `The context ${codeSpan(created)} was created; ${items}.\n`;
}

function faults({ issues }: z.ZodError): CallToolResult {
  const lines = issues
    .slice(0, 10)
    .map(({ path, message }) => `- ${codeSpan(path.join('.'))} ${codeSpan(message)}`);
  return refusal(`invalid parameters:\n${lines.join('\n')}`, {
    next: 'the same call with these corrected',
  });
}

async function conflict(
  { expectedVersion, currentVersion, missed, missedTruncated }: ConflictFacts,
  { countTokens }: ToolContext,
  stored: string,
): Promise<CallToolResult> {
  const render = (units: number) => fenced(missed.slice(0, units).map(lineOf).join('\n'));
  const shown = await fit({ size: missed.length, render }, missedTokens, countTokens);
  const isAll = shown.taken === missed.length && !missedTruncated;
  const last = missed[shown.taken - 1]?.version ?? expectedVersion;
  const text = [
    `${stored}version-conflict: ${stored === '' ? 'nothing was stored. ' : ''}You wrote on version ${expectedVersion}; the context is at ${currentVersion}.`,
    ...(missed.length > 0 ? ['What you missed:', shown.text] : []),
    ...(isAll ? [] : [`There is more: context_changes since ${last}.`]),
  ].join('\n');
  const next = `decide again with this in mind, then the same call with expectedVersion ${currentVersion}`;
  return refusal(text, { version: currentVersion, next });
}

type ConflictFacts = Readonly<{
  expectedVersion: number;
  currentVersion: number;
  missed: readonly MissedEvent[];
  missedTruncated: boolean;
}>;

function lineOf({ version, type, principal, data }: MissedEvent): string {
  return oneLine(`v${version} ${type} by ${principal}: ${JSON.stringify(data)}`, longestEvent);
}

function detailOf({ message, problem }: ThroughlineError): string {
  const wrong = (problem?.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`);
  return [problem?.detail ?? message, ...wrong].join('; ');
}
