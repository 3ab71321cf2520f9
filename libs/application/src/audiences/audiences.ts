import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { sha256 } from '#read-models';
import { type Policy, VisibilityFilter, PolicyIndex, everything } from '#visibility';

import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { PolicyStore } from './policy-store.js';

/**
 * For whom a read is: `filter` is undefined for the audience that sees everything, `tag` tells copies made for different
 * readers apart. A refusal is thrown once the context is known to be in reach, and no sooner.
 */
type ReadAccess =
  | Readonly<{ filter: VisibilityFilter | undefined; tag: string | null }>
  | Readonly<{ refusal: Error }>;

/** Of a policy, the tags of so many readers are cached. */
const maxReaders = 64;

/** What is computed of a policy, which may have a mebibyte. `tags`: by reader. */
type PolicyFacts = Readonly<{ index: PolicyIndex; tags: LRUCache<string, string> }>;

@Injectable()
export class Audiences {
  readonly #facts = new WeakMap<Policy, PolicyFacts>();

  constructor(private readonly policies: PolicyStore) {}

  /** The audience asked for, which the key must be bound to; left out, the first it is bound to. */
  async open(principal: Principal, asked?: string): Promise<ReadAccess> {
    const audience = asked ?? firstAudience(principal);
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

  /** Principals of a workspace for whom this is the same are shown the same, whatever policy is in force. */
  nameOf(principal: Principal, asked?: string): string {
    const audience = asked ?? firstAudience(principal);
    const mayRead = mayReadFor(principal, audience);
    if (mayRead && audience === everything) return everything;
    return JSON.stringify([audience, principal.agentId, mayRead, seesEverything(principal)]);
  }

  /**
   * The visibility filter that a receipt's read went through, by the policy of that time. It depends neither on the caller nor on the
   * policy in force now. Undefined if no stored version of a policy matches the receipt.
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

/** The audience of a read that names none: the first that the key is bound to, unless it sees everything. */
export function firstAudience(principal: Principal): string {
  return seesEverything(principal) ? everything : (principal.audiences[0] ?? everything);
}

/** Who sees everything may look at it as anybody does. */
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
