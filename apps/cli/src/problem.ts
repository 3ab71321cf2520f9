import { z } from 'zod';

import { CliError } from './cli-error.js';
import { exitCodeOf } from './exit-code.js';

const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).default([]),
  expectedVersion: z.number().optional(),
  currentVersion: z.number().optional(),
});

type Problem = z.output<typeof problemSchema>;

const nextByCode: Readonly<Record<string, string>> = {
  unauthenticated:
    'set THROUGHLINE_KEY or pass --key; a server on this machine stores its root key in <data directory>/root-key',
  forbidden: '"throughline me" shows what this key may do',
  'context-not-found': '"throughline context list" shows the contexts this key reaches',
  'context-exists': 'choose another id, or omit it to get a generated one',
  'context-closed': '"throughline context reopen <context>" reopens it',
  'circuit-open': 'a person can reset it: "throughline breaker reset <context> <subject>"',
  'decision-topic-taken': 'pass --supersedes <decisionId> to replace the live decision',
  'idempotency-key-reused': 'use a new --idempotency-key for a different write',
  'append-too-large': 'store large results elsewhere and reference them as artifacts',
};

/** A refusal by the server, with its message, the pointer of every fault, and the unchanged problem. */
export class ProblemError extends CliError {
  constructor(
    readonly problem: Problem | undefined,
    readonly status: number,
    readonly body: string,
    retryAfter: string | null,
  ) {
    super(messageOf(problem, status), {
      exitCode: exitCodeOf(status),
      next: nextStep(problem, retryAfter),
    });
  }

  /** Undefined if the answer is not a problem of a Throughline server. */
  get code(): string | undefined {
    return this.problem && codeOf(this.problem);
  }
}

export function problemOf(status: number, body: string, retryAfter: string | null): ProblemError {
  return new ProblemError(parseProblem(body), status, body, retryAfter);
}

function parseProblem(body: string): Problem | undefined {
  try {
    return problemSchema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function messageOf(problem: Problem | undefined, status: number): string {
  if (!problem) return `the server answered ${status} without a reason`;
  const faults = problem.errors.map(({ pointer, detail }) => `\n  ${pointer || '/'}: ${detail}`);
  return `${problem.detail ?? problem.title} (${status} ${codeOf(problem)})${faults.join('')}`;
}

function nextStep(problem: Problem | undefined, retryAfter: string | null): string | undefined {
  if (retryAfter !== null) return `try again in ${retryAfter} s`;
  if (problem?.expectedVersion !== undefined)
    return `"throughline context events <context> --after ${problem.expectedVersion}" shows the missed events`;
  return problem && nextByCode[codeOf(problem)];
}

function codeOf({ type }: Problem): string {
  return type.slice(type.lastIndexOf('/') + 1);
}
