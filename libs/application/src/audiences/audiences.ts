import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { sha256 } from '#read-models';
import { type Policy, VisibilityFilter, PolicyIndex, everything } from '#visibility';

import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { PolicyStore } from './policy-store.js';

/**
 * The access of a read: `filter` is undefined for the audience `all`; `tag` distinguishes cached copies for different readers.
 * The caller throws `refusal` only after it has found that the key reaches the context.
 */
type ReadAccess =
  | Readonly<{ filter: VisibilityFilter | undefined; tag: string | null }>
  | Readonly<{ refusal: Error }>;

/** Readers per policy whose tags are cached. */
const maxReaders = 64;

/** Computed once per policy, because a policy may have a mebibyte. `tags`: by reader. */
type PolicyFacts = Readonly<{ index: PolicyIndex; tags: LRUCache<string, string> }>;

@Injectable()
export class Audiences {
  readonly #facts = new WeakMap<Policy, PolicyFacts>();

  constructor(private readonly policies: PolicyStore) {}

  /** Opens a read for the requested audience, to which the key must be bound; by default, for the first audience of the key. */
  async open(principal: Principal, requested?: string): Promise<ReadAccess> {
    const audience = requested ?? firstAudience(principal);
    if (!mayReadFor(principal, audience)) return { refusal: notFor(audience) };
    if (audience === everything) return { filter: undefined, tag: null };
    const stored = await this.policies.find({ workspace: principal.workspace, audience });
    if (!stored)
      return { refusal: seesEverything(principal) ? noSuchAudience(audience) : notFor(audience) };
    const reader = { audience, agentId: principal.agentId };
    const { index, tags } = this.#factsOf(stored.policy);
    const name = JSON.stringify(reader);
    const tag = tags.get(name) ?? hashOf([stored.policy, reader]);
    tags.set(name, tag);
    return { filter: new VisibilityFilter(stored.policy, reader, false, index), tag };
  }

  /** A name of the access: under any policy, principals of a workspace with the same name see the same. */
  nameOf(principal: Principal, requested?: string): string {
    const audience = requested ?? firstAudience(principal);
    const mayRead = mayReadFor(principal, audience);
    if (mayRead && audience === everything) return everything;
    return JSON.stringify([audience, principal.agentId, mayRead, seesEverything(principal)]);
  }

  /**
   * The visibility filter that the read of a receipt applied, with the policy of that time. It depends neither on the
   * caller nor on the current policy. Undefined if no stored version of a policy matches the receipt.
   */
  async accessAtRead(
    read: Readonly<{
      workspace: string;
      audience: string;
      agentId: string | null;
      policy: string | null;
    }>,
  ): Promise<Readonly<{ filter: VisibilityFilter | undefined }> | undefined> {
    const { audience, agentId, policy: tag } = read;
    if (tag === null) return audience === everything ? { filter: undefined } : undefined;
    const reader = { audience, agentId };
    const policies = await this.policies.all(read);
    const policy = policies.find((one) => hashOf([one, reader]) === tag);
    return policy && { filter: new VisibilityFilter(policy, reader, true) };
  }

  #factsOf(policy: Policy): PolicyFacts {
    const facts = this.#facts.get(policy) ?? {
      index: new PolicyIndex(policy),
      tags: new LRUCache<string, string>({ max: maxReaders }),
    };
    this.#facts.set(policy, facts);
    return facts;
  }
}

/** The audience of a read that names none: `all` if the key is bound to it, otherwise the first audience of the key. */
export function firstAudience(principal: Principal): string {
  return seesEverything(principal) ? everything : (principal.audiences[0] ?? everything);
}

/** A key that sees everything may read for any audience. */
function mayReadFor(principal: Principal, audience: string): boolean {
  return seesEverything(principal) || principal.audiences.includes(audience);
}

function notFor(audience: string): Error {
  return new ResourceNotFoundError(`this key may not read for the audience "${audience}"`);
}

function noSuchAudience(audience: string): Error {
  return new InvalidInputError([
    {
      pointer: '/audience',
      detail: `there is no audience "${audience}" in this workspace: PUT /v1/policies/${encodeURIComponent(audience)} defines it`,
    },
  ]);
}

function hashOf(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}
