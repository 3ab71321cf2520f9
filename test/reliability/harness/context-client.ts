import { type AppendLine } from '#invariants';
import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';
import { z } from 'zod';

import { type HistoryRecorder } from './history-recorder.js';

export const rootKey = 'root-key-of-these-tests';

/** The pause of any client before it tries again; no test depends on its length. */
const backoffMs = 25;
/** Longer than any server may take, so that a server that hangs is reported. */
const requestTimeoutMs = 60_000;

const stored = z.object({
  version: z.number(),
  events: z.array(z.object({ eventId: z.string() })),
});
const refusal = z.object({
  type: z.string(),
  currentVersion: z.number().optional(),
});

export type Command = Readonly<{
  contextId: string;
  key: string;
  /** The version in `If-Match`. */
  expected?: number;
  /** The whole body; the default is derived from the key. */
  body?: object;
  /** The path below the context; the default creates the context. */
  path?: string;
  /** The context of the stored events, if it is another one: a fork. */
  storesIn?: string;
  /** The secret of the request; the default is the root key. */
  secret?: string;
}>;

type Answer = Readonly<{ status: number; text: string }>;

export type Target = Readonly<{
  /** The address of the next request. */
  address: () => string;
  recorder: HistoryRecorder;
  /** The maximum duration of a request, which the audit checks. */
  deadlineMs: number;
}>;

export function streamOf(contextId: string): string {
  return `context-default:${contextId}`;
}

/** A client whose requests are all recorded. */
export class ContextClient {
  constructor(
    readonly name: string,
    private readonly target: Target,
  ) {}

  /** Sends one request. */
  async attempt(command: Command): Promise<AppendLine> {
    const { recorder, deadlineMs } = this.target;
    const inv = recorder.now();
    const answer = await this.#send(command).catch((error: unknown) => error);
    const outcome = outcomeOf(answer);
    const stream = streamOf(command.storesIn ?? command.contextId);
    const count = outcome.eventIds?.length ?? 1;
    const line: AppendLine = {
      kind: 'append',
      client: this.name,
      stream,
      inv,
      ret: recorder.now(),
      deadlineMs,
      key: command.key,
      count,
      ...(command.expected !== undefined && { expected: command.expected }),
      ...outcome,
    };
    recorder.add(line);
    return line;
  }

  /** Repeats a request with the same key until a server has stored or finally refused it. */
  async append(command: Command): Promise<AppendLine> {
    for (;;) {
      const line = await this.attempt(command);
      if (line.outcome === 'ok' || line.outcome === 'conflict' || isFinal(line)) return line;
      await wait(backoffMs);
    }
  }

  create(contextId: string): Promise<AppendLine> {
    return this.append({ contextId, key: `create ${contextId}`, path: '', expected: 0 });
  }

  /** The current version of the context; undefined without an answer. */
  async read(contextId: string): Promise<number | undefined> {
    const { recorder, deadlineMs } = this.target;
    const inv = recorder.now();
    const version = await this.#versionIfAnswered(contextId);
    recorder.add({
      kind: 'read',
      client: this.name,
      stream: streamOf(contextId),
      inv,
      ret: recorder.now(),
      deadlineMs,
      ...(version === undefined ? { outcome: 'unknown' } : { outcome: 'ok', version }),
    });
    return version;
  }

  async #send(command: Command): Promise<Answer> {
    const { contextId, key, expected, body, path = '/step-outputs', secret = rootKey } = command;
    const isCreation = path === '';
    const answer = await request(
      `${this.target.address()}/v1/contexts${isCreation ? '' : `/${contextId}${path}`}`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': key.replaceAll(' ', '_'),
          ...(expected !== undefined && !isCreation && { 'if-match': `"${expected}"` }),
        },
        body: JSON.stringify(
          // Derived from the key only, so that a repeated command has the same body.
          body ?? (isCreation ? { contextId } : { stepId: 's', output: key }),
        ),
        signal: AbortSignal.timeout(requestTimeoutMs),
      },
    );
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  /** The history records a failed read as unknown, regardless of the fault. */
  async #versionIfAnswered(contextId: string): Promise<number | undefined> {
    const [read] = await Promise.allSettled([this.#version(contextId)]);
    if (read.status === 'fulfilled') return read.value;
    // An answer that cannot be parsed is not a network fault.
    if (read.reason instanceof z.ZodError || read.reason instanceof SyntaxError) throw read.reason;
    return undefined;
  }

  async #version(contextId: string): Promise<number | undefined> {
    const answer = await request(`${this.target.address()}/v1/contexts/${contextId}`, {
      headers: { authorization: `Bearer ${rootKey}` },
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) return undefined;
    return z.object({ _version: z.number() }).parse(JSON.parse(text))._version;
  }
}

/** A refusal that a repetition would receive again. */
function isFinal({ outcome, code }: AppendLine): boolean {
  return outcome === 'refused' && code !== undefined && !/unavailable|rate|exhausted/.test(code);
}

type Outcome = Pick<AppendLine, 'outcome' | 'version' | 'eventIds' | 'actual' | 'code'>;

/** Without an answer the outcome is unknown, unless the request was never sent. */
function outcomeOf(answer: unknown): Outcome {
  if (!isAnswer(answer))
    return isRefusedConnection(answer)
      ? { outcome: 'refused', code: 'unavailable (connection refused)' }
      : { outcome: 'unknown' };
  if (answer.status === 201) {
    const { version, events } = stored.parse(JSON.parse(answer.text));
    return { outcome: 'ok', version, eventIds: events.map(({ eventId }) => eventId) };
  }
  const { type, currentVersion } = refusal.parse(JSON.parse(answer.text));
  const code = type.replace('/problems/', '');
  if (answer.status === 412 && currentVersion !== undefined)
    return { outcome: 'conflict', actual: currentVersion, code };
  const isUnknown = answer.status === 500 || code === 'outcome-unknown';
  return { outcome: isUnknown ? 'unknown' : 'refused', code };
}

function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'status' in answer;
}

function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
