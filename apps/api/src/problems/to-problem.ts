import { DatabaseFullError, DatabaseUnavailableError } from '#database';
import {
  type JsonValue,
  AppendTooLargeError,
  DomainError,
  OutcomeUnknownError,
  StorageFullError,
  StoreUnavailableError,
  UndecodableEventError,
  isDomainError,
} from '#event-sourcing';

import type * as application from '#application';
import type * as sharedContext from '#shared-context';

import { FaultList } from '../json/fault-list.js';
import { InvalidJsonError, UnfitJsonError } from '../json/json.errors.js';
import { OverloadedError, WorkerLostError } from './worker.errors.js';
import { fromFastify } from './fastify-problem.js';
import { type ProblemCode } from './problem-code.js';
import { ProblemError, type InputFault } from './problem.error.js';
import { type ProblemKind, problemTable } from './problem-table.js';

/** Problem details (RFC 9457), with `errors` for faults of the input, and further members of the error. */
type Problem = Readonly<{
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  errors?: readonly InputFault[];
  /** The number of further faults that `errors` does not list. */
  moreErrors?: number;
}> &
  Readonly<Record<string, JsonValue | readonly InputFault[]>>;

/** An error, mapped to the row `code` of the problem table. */
export type ProblemFacts = Readonly<{
  code: ProblemCode;
  detail?: string;
  faults?: readonly InputFault[];
  /** The number of further faults that `faults` does not list. */
  moreFaults?: number;
  details?: Readonly<Record<string, JsonValue>>;
}>;

/** The codes of a library's domain errors. */
type CodesOf<Library> = {
  [Name in keyof Library]: Library[Name] extends abstract new (
    ...args: never[]
  ) => DomainError<infer Code>
    ? Code
    : never;
}[keyof Library];

/** Does not compile if the code of a domain error has no row in the table. */
const rows: Readonly<
  Record<CodesOf<typeof application> | CodesOf<typeof sharedContext>, ProblemKind>
> = problemTable;

/** Unexpected errors reveal no internals. */
const unexpected: ProblemFacts = { code: 'internal-error' };

export function findProblem(error: unknown): ProblemFacts {
  return (
    fromEdge(error) ?? fromDomain(error) ?? fromStore(error) ?? fromFastify(error) ?? unexpected
  );
}

export function toProblem(found: ProblemFacts, instance: string): Problem {
  const { code, faults = [], details } = found;
  const { title, status, detail } = problemTable[code];
  const list = new FaultList();
  for (const fault of faults) list.add(() => fault.pointer, fault.detail, fault.suggestion);
  const more = (found.moreFaults ?? 0) + list.more;
  return {
    ...details,
    type: `/problems/${code}`,
    title,
    status,
    detail: found.detail ?? detail,
    instance,
    ...(faults.length > 0 && { errors: list.faults }),
    ...(more > 0 && { moreErrors: more }),
  };
}

function fromEdge(error: unknown): ProblemFacts | undefined {
  if (error instanceof ProblemError)
    return { code: error.code, detail: error.message, ...faultsOf(error) };
  if (error instanceof InvalidJsonError)
    return { code: 'invalid-json', detail: error.message, faults: error.faults };
  if (error instanceof UnfitJsonError)
    return { code: 'validation-failed', detail: error.message, ...faultsOf(error) };
  return fromWorkers(error);
}

/** Workers run reads and imports of documents, which can both be repeated, so the details need not mention stored events. */
function fromWorkers(error: unknown): ProblemFacts | undefined {
  if (error instanceof OverloadedError)
    return {
      code: 'unavailable',
      detail:
        'the server has more expensive requests than it can answer: repeat this one after Retry-After',
    };
  if (error instanceof WorkerLostError)
    return {
      code: 'unavailable',
      detail:
        'the request exceeded the memory limit, or its worker ended: request less, or repeat it after Retry-After',
    };
  return undefined;
}

function faultsOf({ faults, moreFaults }: ProblemError | UnfitJsonError) {
  return { faults, moreFaults };
}

function fromDomain(error: unknown): ProblemFacts | undefined {
  if (!isDomainError(error) || !isProblemCode(error.code)) return undefined;
  const { code, message: detail, details } = error;
  const faults = 'issues' in error ? inputFaults(error.issues) : [];
  return { code, detail, details, faults };
}

function fromStore(error: unknown): ProblemFacts | undefined {
  if (error instanceof AppendTooLargeError)
    return { code: 'append-too-large', detail: error.message };
  if (error instanceof OutcomeUnknownError) return { code: 'outcome-unknown' };
  if (error instanceof StorageFullError || error instanceof DatabaseFullError)
    return { code: 'storage-full' };
  if (error instanceof StoreUnavailableError || error instanceof DatabaseUnavailableError)
    return { code: 'unavailable' };
  if (error instanceof UndecodableEventError) return { code: 'event-unreadable' };
  return undefined;
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(rows, code);
}

function inputFaults(issues: unknown): readonly InputFault[] {
  return Array.isArray(issues) ? issues.filter(isInputFault) : [];
}

function isInputFault(issue: unknown): issue is InputFault {
  return typeof issue === 'object' && issue !== null && 'pointer' in issue && 'detail' in issue;
}
