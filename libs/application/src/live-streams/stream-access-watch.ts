import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { PollingWorker } from '#polling';
import { everything } from '#visibility';

import { type Principal } from '../access/principal.js';
import { firstAudience } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { KeyEndedError } from '../errors.js';
import { StoreClock } from '../runs/store-clock.js';
import { ROOT_KEY_HASH } from '../tokens.js';
import { type OpenStream, type StreamAccess } from './open-stream.js';
import { OpenStreams } from './open-streams.js';

const checkMs = 500;

/**
 * Checks at fixed intervals whether the conditions under which streams were opened have changed. If events triggered the check,
 * the time of a reset would reveal the time of a hidden event.
 */
@Injectable()
export class StreamAccessWatch implements OnModuleInit, OnModuleDestroy {
  /** Streams never send events that were read under another key or policy, so a failed check is simply repeated. */
  readonly #worker = new PollingWorker(() => this.#checkIfNeeded(), {
    idleMs: checkMs,
    retryMs: { first: checkMs, longest: checkMs },
    allowsExit: true,
  });

  constructor(
    private readonly streams: OpenStreams,
    private readonly policies: PolicyStore,
    private readonly clock: StoreClock,
    @Inject(ROOT_KEY_HASH) private readonly rootKeyHash: () => Promise<string>,
  ) {}

  onModuleInit(): void {
    this.#worker.start();
  }

  onModuleDestroy(): void {
    void this.#worker.stop();
  }

  /** Call it before the first event of the stream is read. */
  async read(principal: Principal, requested?: string): Promise<StreamAccess> {
    const audience = requested ?? firstAudience(principal);
    const { epoch } = await this.clock.read();
    const rootKey = principal.isRoot ? await this.rootKeyHash() : null;
    if (audience === everything) return { epoch, policy: null, rootKey };
    const [version = 0] = await this.policies.versionsOf([
      { workspace: principal.workspace, audience },
    ]);
    return { epoch, policy: { audience, version }, rootKey };
  }

  async #checkIfNeeded(): Promise<undefined> {
    if (this.streams.count > 0) await this.check();
  }

  /** Ends the streams whose access has changed. */
  async check(): Promise<void> {
    const streams = [...this.streams.all()];
    const { epoch } = await this.clock.read();
    const rootKey = streams.some(({ principal }) => principal.isRoot)
      ? await this.rootKeyHash()
      : null;
    const versions = await this.#policyVersionsOf(streams);
    for (const stream of streams) {
      const { access, principal } = stream;
      if (access.rootKey !== null && access.rootKey !== rootKey)
        stream.end(new KeyEndedError('the root key was replaced'));
      if (access.epoch !== epoch) stream.endWithReset('epoch');
      const { policy } = access;
      if (policy && versions.get(nameOf(principal, policy.audience)) !== policy.version)
        stream.endWithReset('audience');
    }
  }

  async #policyVersionsOf(streams: readonly OpenStream[]): Promise<ReadonlyMap<string, number>> {
    const policies = new Map(
      streams.flatMap(({ principal, access: { policy } }) => {
        if (!policy) return [];
        const { workspace } = principal;
        const { audience } = policy;
        return [[nameOf(principal, audience), { workspace, audience }] as const];
      }),
    );
    if (policies.size === 0) return new Map();
    const versions = await this.policies.versionsOf([...policies.values()]);
    return new Map([...policies.keys()].map((name, at) => [name, versions[at] ?? 0]));
  }
}

function nameOf({ workspace }: Principal, audience: string): string {
  return JSON.stringify([workspace, audience]);
}
