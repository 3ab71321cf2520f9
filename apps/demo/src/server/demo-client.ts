import { type Answer as SdkAnswer, isThroughlineError, Throughline } from '@throughline/sdk';
import { z } from 'zod';

import { DemoError } from '../demo-error.js';
import { type DemoServer } from './demo-server.js';

const writtenSchema = z.object({
  contextId: z.string(),
  version: z.int(),
  events: z.array(z.object({ eventId: z.string(), type: z.string(), version: z.int() })),
  decisionId: z.string().optional(),
});

const problemSchema = z.looseObject({ type: z.string(), title: z.string(), detail: z.string() });

export const storedEvent = z.looseObject({
  eventId: z.string(),
  type: z.string(),
  version: z.int(),
  principal: z.string(),
  data: z.looseObject({}),
});

const conflictSchema = z.object({
  expectedVersion: z.int(),
  currentVersion: z.int(),
  missed: z.array(storedEvent),
  missedTruncated: z.boolean(),
});

export type WriteResult = z.output<typeof writtenSchema>;
export type StoredEvent = z.output<typeof storedEvent>;
export type Conflict = z.output<typeof conflictSchema>;

export type Request = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Relative to /v1, with encoded segments. */
  path: string;
  body?: unknown;
  ifMatch?: number;
  idempotencyKey?: string;
  /** The receipt that the write cites. */
  basedOn?: string | undefined;
  /** The id of the event that caused the write. */
  causationId?: string | undefined;
  correlationId?: string | undefined;
}>;

type Answer = SdkAnswer<unknown>;

/** An HTTP client with the key of one agent or person. */
export class DemoClient {
  constructor(
    private readonly server: Pick<DemoServer, 'address'>,
    private readonly key: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Returns refusals as answers. */
  async send(request: Request): Promise<Answer> {
    const { path, method = 'GET', ifMatch: expectedVersion, ...rest } = request;
    const client = new Throughline({ url: this.server.address, key: this.key });
    const options = { ...rest, expectedVersion, signal: this.signal };
    try {
      return await client.request(method, `/v1/${path}`, options);
    } catch (error) {
      if (!isThroughlineError(error) || !error.problem)
        throw new DemoError(`no answer to ${method} /v1/${path}`, { cause: error });
      const { status } = error.problem;
      return { status, body: error.problem, headers: { get: () => null } };
    }
  }

  async read<Output>(schema: z.ZodType<Output>, path: string): Promise<Output> {
    const answer = await this.send({ path });
    if (answer.status !== 200) throw refusal(answer, path);
    return schema.parse(answer.body);
  }

  /** Sends a request that must succeed, or be refused with a status. Returns the body of the answer. */
  async accept(request: Request, refusedWith?: number): Promise<unknown> {
    const answer = await this.send(request);
    const isExpected =
      refusedWith === undefined ? answer.status < 300 : answer.status === refusedWith;
    if (!isExpected) throw refusal(answer, request.path);
    return answer.body;
  }

  /** Reads the view of a context and returns the receipt of the read. */
  async readReceipt(contextId: string): Promise<string> {
    const path = contextPath(contextId, 'view');
    const answer = await this.send({ path });
    const receipt = answer.headers.get('receipt');
    if (answer.status !== 200 || receipt === null) throw refusal(answer, path);
    return receipt;
  }

  async write(request: Request): Promise<WriteResult> {
    const result = await this.writeIfCurrent(request);
    if ('missed' in result) throw new DemoError(`${request.path}: an unexpected version conflict`);
    return result;
  }

  /** Returns a version conflict, with the missed events, as an answer. */
  async writeIfCurrent(request: Request): Promise<WriteResult | Conflict> {
    const answer = await this.send({ method: 'POST', ...request });
    if (answer.status === 412) return conflictSchema.parse(answer.body);
    if (answer.status !== 200 && answer.status !== 201) throw refusal(answer, request.path);
    return writtenSchema.parse(answer.body);
  }

  /** Reads all pages of a list. */
  async readAll<Output>(item: z.ZodType<Output>, path: string): Promise<readonly Output[]> {
    const page = z.object({ items: z.array(item), nextCursor: z.string().nullable() });
    const join = path.includes('?') ? '&' : '?';
    const all: Output[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const { items, nextCursor } = await this.read(page, `${path}${join}limit=500${from}`);
      all.push(...items);
      cursor = nextCursor;
    }
    return all;
  }
}

type NewKey = Readonly<{
  role: 'agent' | 'operator' | 'auditor' | 'admin';
  agentId?: string;
  actsFor?: readonly string[];
  audiences?: readonly string[];
}>;

/** Creates a key and returns a client with it. */
export async function clientWithKey(
  admin: DemoClient,
  stage: Readonly<{ server: Pick<DemoServer, 'address'>; signal: AbortSignal }>,
  key: NewKey,
): Promise<DemoClient> {
  const answer = await admin.send({ method: 'POST', path: 'keys', body: key });
  if (answer.status !== 201) throw refusal(answer, 'keys');
  const { secret } = z.object({ secret: z.string() }).parse(answer.body);
  return new DemoClient(stage.server, secret, stage.signal);
}

/** Returns the path of a context with encoded segments. */
export function contextPath(contextId: string, ...below: readonly string[]): string {
  return ['contexts', contextId, ...below].map(encodeURIComponent).join('/');
}

function refusal({ status, body }: Answer, path: string): DemoError {
  const problem = problemSchema.safeParse(body);
  const reason = problem.success ? `${problem.data.title}: ${problem.data.detail}` : 'no reason';
  return new DemoError(`/v1/${path} was refused with ${status}: ${reason}`);
}
