import { request } from 'undici';
import { z } from 'zod';

import { rootKey } from '../context-client.js';
import { waitUntil } from '../wait-until.js';
import { type OutsideServer } from './outside-server.js';

const approval = z.object({
  approvalId: z.string(),
  attempt: z.number().nullable(),
  message: z.string(),
});
const shownRun = z.object({
  runId: z.string(),
  status: z.string(),
  output: z.unknown(),
  outputOf: z.object({ stepId: z.string() }).loose().nullable(),
  active: z.array(
    z.object({
      stepId: z.string(),
      path: z.string(),
      visit: z.number(),
      approval: approval.nullish(),
    }),
  ),
  results: z.array(z.object({ stepId: z.string(), path: z.string(), outcome: z.string() })),
});

export type ShownRun = z.output<typeof shownRun>;

const running = new Set(['running', 'paused', 'cancelling']);
/** After each of these events, a person must decide or the run has ended. */
const turnTypes = ['ApprovalRequested', 'RunCompleted', 'RunFailed', 'RunCancelled'].join(',');
const requestTimeoutMs = 20_000;
/** The long poll for events; notifications may be lost, and so may the server. */
const waitSeconds = 2;
const page = z.object({ items: z.array(z.object({ version: z.int() })) });

export type HttpAnswer = Readonly<{ status: number; text: string }>;

/** Starts runs and decides their approvals. Repeats its requests while no server answers. */
export class RunClient {
  constructor(
    private readonly address: () => string,
    private readonly outside: OutsideServer,
  ) {}

  /** Undefined without an answer. */
  async call(method: string, path: string, body?: object, headers?: Record<string, string>) {
    const sent = request(`${this.address()}${path}`, {
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${rootKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const [answer] = await Promise.allSettled([sent.then(read)]);
    return answer.status === 'fulfilled' ? answer.value : undefined;
  }

  /** Repeats the request until a server has stored or refused it. */
  async insist(method: string, path: string, body?: object, headers?: Record<string, string>) {
    const answer = await waitUntil(
      `an answer to ${method} ${path}`,
      () => this.call(method, path, body, headers),
      (given) => given !== undefined && given.status < 500,
    );
    if (!answer) throw new Error('there is an answer');
    return answer;
  }

  async publish(definitions: readonly object[]): Promise<void> {
    for (const definition of definitions) {
      const { status, text } = await this.insist('POST', '/v1/workflows', definition);
      if (status >= 300) throw new Error(`a definition was refused: ${text}`);
    }
  }

  async makeKey(grant: object): Promise<string> {
    const { text } = await this.insist('POST', '/v1/keys', grant);
    return z.object({ secret: z.string() }).parse(JSON.parse(text)).secret;
  }

  async create(contextId: string): Promise<void> {
    await this.insist('POST', '/v1/contexts', { contextId }, { 'Idempotency-Key': contextId });
  }

  /** Repeats the request until it is stored. */
  async start(contextId: string, definitionId: string): Promise<void> {
    const path = `/v1/contexts/${contextId}/run`;
    const body = { definitionId, input: { of: definitionId } };
    const { status, text } = await this.insist('POST', path, body, {
      'Idempotency-Key': `start-${contextId}`,
    });
    if (status >= 300) throw new Error(`the run was not started: ${text}`);
  }

  async find(contextId: string): Promise<ShownRun | undefined> {
    const answer = await this.call('GET', `/v1/contexts/${contextId}/run`);
    return answer?.status === 200 ? shownRun.parse(JSON.parse(answer.text)) : undefined;
  }

  /** Decides all approvals until the run has ended. */
  async finish(contextId: string): Promise<ShownRun> {
    let seen = 0;
    let needsDecision = false;
    const end = await waitUntil(
      `the end of the run in ${contextId}`,
      async () => {
        // An open approval already has its event.
        seen = await this.#turnBehind(contextId, seen, needsDecision ? 0 : waitSeconds);
        const run = await this.find(contextId);
        needsDecision = run?.active.some(({ approval: asked }) => asked) ?? true;
        for (const step of run?.active ?? []) await this.#decide(contextId, step);
        return run;
      },
      (run) => run !== undefined && !running.has(run.status),
    );
    if (!end) throw new Error('there is a run');
    return end;
  }

  /** Waits for the event after the version of the last one: polling the run would take the processor from it. */
  async #turnBehind(contextId: string, version: number, seconds: number): Promise<number> {
    const query = `types=${turnTypes}&after=${version}&wait=${seconds}`;
    const answer = await this.call('GET', `/v1/contexts/${contextId}/events?${query}`);
    if (answer?.status !== 200) return version;
    return page.parse(JSON.parse(answer.text)).items.at(-1)?.version ?? version;
  }

  /**
   * Rejects the first approval of a plan and approves the others; about attempts in doubt it queries the outside
   * server.
   */
  async #decide(contextId: string, { path, visit, approval: asked }: ShownRun['active'][number]) {
    if (!asked) return;
    const at = `/v1/approvals/${encodeURIComponent(asked.approvalId)}`;
    if (asked.attempt === null) {
      const isRejected = asked.message.startsWith('Reject') && visit === 1;
      await this.call('POST', `${at}/${isRejected ? 'reject' : 'approve'}`, {});
      return;
    }
    const output = this.outside.outputOf(contextId, path);
    await this.call(
      'POST',
      `${at}/answer`,
      output === undefined ? { action: 'retry' } : { action: 'output', output },
    );
  }
}

async function read(answer: Awaited<ReturnType<typeof request>>): Promise<HttpAnswer> {
  return { status: answer.statusCode, text: await answer.body.text() };
}
