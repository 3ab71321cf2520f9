import { path } from '../api-client.js';
import { CliError } from '../cli-error.js';
import { exitCodes } from '../exit-code.js';
import { oneLine } from '../printable.js';
import { Follower } from '../replay/follow.js';
import { type Session } from '../session.js';
import { listenForStop } from '../stop-signal.js';
import { waysToDecide } from './render-approval.js';
import { readOutput } from './run-output.js';
import { renderOutput } from './render-run.js';
import { type StreamEvent, endsRun, renderRunEvent, streamPage } from './run-event.js';
import { type RunView, runView } from './run-view.js';

const limit = 500;
const waitSeconds = 25;
const widestLine = 300;

type FollowedRun = Readonly<{
  contextId: string;
  runId: string;
  /** The version before the first event of the run. */
  after: number;
}>;

/** Prints the progress of a run until it has ended. Throws with a specific exit code if it ended without success. */
export async function followRun(session: Session, followed: FollowedRun): Promise<void> {
  const { signal, release } = listenForStop();
  const { api, terminal, json } = session;
  const follower = new Follower({ api, signal, notice: terminal.warn });
  try {
    const run = await untilEnded(session, follower, followed);
    if (!run) throw stoppedWaiting(followed);
    if (json) terminal.write(JSON.stringify(run));
    requireSuccess(run, followed);
    if (json) return;
    const ask: Follower['ask'] = (schema, request) => follower.ask(schema, request);
    const output = renderOutput(await readOutput(ask, followed.contextId, run));
    terminal.write([output, `the run ${endOf(run)}`].filter(Boolean).join('\n'));
  } finally {
    release();
  }
}

/** Returns undefined if it was stopped. */
async function untilEnded(
  session: Session,
  follower: Follower,
  { contextId, runId, after: first }: FollowedRun,
): Promise<RunView | undefined> {
  const printer = new RunPrinter(session, follower, contextId);
  let after = first;
  let cursor: string | undefined;
  for (;;) {
    const query = { after, cursor, limit, wait: waitSeconds };
    const page = await follower.ask(streamPage, {
      path: path`contexts/${contextId}/events`,
      query,
    });
    if (!page) return undefined;
    const own = page.items.filter(({ data }) => data.runId === runId);
    await printer.printEvents(own);
    if (own.some(endsRun)) return printer.read();
    after = page.items.at(-1)?.version ?? after;
    cursor = page.nextCursor ?? undefined;
  }
}

class RunPrinter {
  readonly #printed = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly follower: Follower,
    private readonly contextId: string,
  ) {}

  read(): Promise<RunView | undefined> {
    return this.follower.ask(runView, { path: path`contexts/${this.contextId}/run` });
  }

  async printEvents(events: readonly StreamEvent[]): Promise<void> {
    for (const event of events) this.#print(renderRunEvent(event));
    const asks = events.some(({ type }) => type === 'ApprovalRequested');
    if (asks && !events.some(endsRun)) await this.#printApprovals();
  }

  /** With --json, standard output contains only answers of the server. */
  #print(line: string | undefined): void {
    if (line === undefined) return;
    const { terminal, json } = this.session;
    if (json) terminal.warn(oneLine(line, widestLine));
    else terminal.write(oneLine(line, widestLine));
  }

  /** Prints the open approvals that were not printed before. */
  async #printApprovals(): Promise<void> {
    const run = await this.read();
    for (const { path: step, approval } of run?.active ?? []) {
      if (!approval || this.#printed.has(approval.approvalId)) continue;
      this.#printed.add(approval.approvalId);
      this.#print(`${step} waits for a person: ${approval.message}`);
      for (const way of waysToDecide(approval)) this.#print(`next: ${way}`);
    }
  }
}

function stoppedWaiting({ contextId }: FollowedRun): CliError {
  return new CliError('the command was stopped; the run continues', {
    next: `throughline run show ${contextId}`,
  });
}

const exitCodeByStatus = {
  rejected: exitCodes.runRejected,
  failed: exitCodes.runFailed,
  cancelled: exitCodes.runCancelled,
} as const;

function requireSuccess(run: RunView, { runId }: FollowedRun): void {
  if (run.runId !== runId)
    throw new CliError(`the run has ended, and run ${run.runId} was started after it`);
  if (run.status === 'completed') return;
  const exitCode =
    Object.entries(exitCodeByStatus).find(([status]) => status === run.status)?.[1] ??
    exitCodes.failure;
  throw new CliError(oneLine(`the run ${endOf(run)}`, widestLine), { exitCode });
}

const verbs: Readonly<Record<string, string>> = {
  completed: 'has completed',
  rejected: 'was rejected',
  failed: 'has failed',
  cancelled: 'was cancelled',
};

function endOf({ status, reason }: RunView): string {
  return `${verbs[status] ?? status}${reason ? `: ${reason}` : ''}`;
}
