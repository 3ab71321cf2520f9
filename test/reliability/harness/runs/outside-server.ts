import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { z } from 'zod';

const call = z.object({
  kind: z.enum(['effect', 'verify']),
  contextId: z.string(),
  step: z.object({
    id: z.string(),
    path: z.string(),
    visit: z.number(),
    attempt: z.number(),
    parameters: z.object({
      fails: z.number().default(0),
      hangs: z.number().default(0),
      goodAt: z.number().default(1),
    }),
  }),
  effectKey: z.string(),
  /** For `verify`: the attempt to be verified. */
  recovers: z.number().nullable(),
});

export type OutsideCall = z.output<typeof call>;

/** The answer to the worker of a call. */
type OutsideAnswer =
  | Readonly<{ type: 'complete'; output: unknown }>
  | Readonly<{ type: 'fail'; reason: string }>
  | Readonly<{ type: 'hang' }>;

type AppliedEffect = Readonly<{
  contextId: string;
  path: string;
  effectKey: string;
  output: unknown;
}>;
type CallTest = (received: OutsideCall) => boolean;

/**
 * A service outside of Throughline: it executes effects, once per effect key, and records each call. The verification
 * of an attempt without an effect prevents a later effect of that attempt, as the fence of a real service does.
 */
export class OutsideServer {
  readonly calls: OutsideCall[] = [];
  readonly applied: AppliedEffect[] = [];
  readonly #barred = new Map<string, number>();
  #held: { isHeld: CallTest; reached: () => void; release: Promise<void> } | undefined;

  private constructor(readonly close: () => Promise<void>) {}

  address = '';

  static async open(): Promise<OutsideServer> {
    const listener = createServer((asked, answer) => void outside.#serve(asked, answer));
    const outside = new OutsideServer(async () => {
      listener.closeAllConnections();
      listener.close();
      await once(listener, 'close');
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    // The address of a listening TCP server has a port.
    const { port } = listener.address() as AddressInfo;
    outside.address = `http://127.0.0.1:${port}`;
    return outside;
  }

  /**
   * Executes the next matching call and delays its answer until `release` resolves. Resolves `reached` once it is
   * executed.
   */
  holdAnswer(isHeld: CallTest, release: Promise<void>): Promise<void> {
    const reached = Promise.withResolvers<void>();
    this.#held = { isHeld, reached: reached.resolve, release };
    return reached.promise;
  }

  /** Answers all delayed calls at once. */
  holdNothing(): void {
    this.#held = undefined;
  }

  outputOf(contextId: string, path: string): unknown {
    return this.applied.find((each) => each.contextId === contextId && each.path === path)?.output;
  }

  async #serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    answer.on('error', () => undefined);
    const received = call.parse(await json(asked));
    this.calls.push(received);
    const given = received.kind === 'verify' ? this.#verify(received) : this.#carryOut(received);
    const held = this.#held?.isHeld(received) ? this.#held : undefined;
    if (held) {
      this.#held = undefined;
      held.reached();
      await held.release;
    }
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify(given));
  }

  #carryOut({ contextId, step, effectKey }: OutsideCall): OutsideAnswer {
    const { id, path, visit, attempt, parameters } = step;
    if (attempt <= parameters.hangs) return { type: 'hang' };
    if (attempt <= parameters.fails) return { type: 'fail', reason: `attempt is to fail` };
    if (attempt <= (this.#barred.get(keyOf(contextId, path)) ?? 0)) return { type: 'hang' };
    const before = this.applied.find((each) => each.effectKey === effectKey);
    if (before) return { type: 'complete', output: before.output };
    const output = { step: id, visit, good: visit >= parameters.goodAt };
    this.applied.push({ contextId, path, effectKey, output });
    return { type: 'complete', output };
  }

  #verify({ contextId, step: { path }, recovers }: OutsideCall): OutsideAnswer {
    const output = this.outputOf(contextId, path);
    if (output !== undefined) return { type: 'complete', output: { tookEffect: true, output } };
    this.#barred.set(keyOf(contextId, path), recovers ?? 0);
    return { type: 'complete', output: { tookEffect: false } };
  }
}

function keyOf(contextId: string, path: string): string {
  return `${contextId} ${path}`;
}
