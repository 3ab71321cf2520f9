import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';

import { builtInPolicies, everything } from '#visibility';

import { requireAdmin } from '../access/authorize.js';
import { requireRevocable, requireWithin } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { refuseReservedNames } from '../access/reserved-names.js';
import { KeyLeases } from '../authentication/authentication.js';
import { KeyStore } from '../authentication/key-store.js';
import { ForbiddenError, InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { decodeCursor, encodeCursor } from '../paging/cursor.js';
import { parseRfc3339 } from '../rfc3339.js';
import { AUDIT_LOG, type AuditLog } from '../tokens.js';
import { CreateKeyCommand, ListKeysQuery, RevokeKeyCommand } from './keys.messages.js';
import { type KeyGrant } from '../authentication/key-grant.js';

@CommandHandler(CreateKeyCommand)
export class CreateKeyHandler implements ICommandHandler<CreateKeyCommand> {
  constructor(
    private readonly keys: KeyStore,
    private readonly policies: PolicyStore,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ principal, grant }: CreateKeyCommand) {
    requireAdmin(principal);
    const complete = completeGrant(principal, grant);
    refuseReservedNames(agentsInGrant(complete));
    requireWithin(principal, complete);
    await this.#requireAudiences(complete);
    const key = await this.keys.create(complete, principal.name);
    this.audit({
      workspace: key.workspace,
      keyId: key.keyId,
      types: ['KeyCreated'],
      principal: principal.name,
    });
    return key;
  }

  /** A key for an undefined audience would read nothing. */
  async #requireAudiences({ workspace, audiences }: KeyGrant): Promise<void> {
    const unknown = await this.policies.findUndefined(workspace, audiences);
    if (unknown.length === 0) return;
    const issues = unknown.map((audience) => ({
      pointer: `/audiences/${audiences.indexOf(audience)}`,
      detail: `there is no audience "${audience}" in workspace "${workspace}": PUT /v1/policies/${encodeURIComponent(audience)} defines it; built in are ${builtInAudiences}`,
    }));
    throw new InvalidInputError(issues);
  }
}

const builtInAudiences = [everything, ...Object.keys(builtInPolicies)].join(', ');

@CommandHandler(RevokeKeyCommand)
export class RevokeKeyHandler implements ICommandHandler<RevokeKeyCommand> {
  constructor(
    private readonly keys: KeyStore,
    private readonly leases: KeyLeases,
    private readonly polls: LongPolls,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ principal, keyId }: RevokeKeyCommand): Promise<void> {
    requireAdmin(principal);
    const key = await this.keys.find(keyId);
    if (!key || (!principal.isRoot && key.workspace !== principal.workspace))
      throw new ResourceNotFoundError(`there is no key "${keyId}" here`);
    requireRevocable(principal, key);
    await this.keys.revoke(keyId);
    this.leases.end(keyId);
    const { workspace } = key;
    this.polls.endKey(keyId);
    this.audit({
      workspace,
      keyId,
      types: ['KeyRevoked'],
      principal: principal.name,
    });
  }
}

@QueryHandler(ListKeysQuery)
export class ListKeysHandler implements IQueryHandler<ListKeysQuery> {
  constructor(private readonly keys: KeyStore) {}

  /** Administrators and auditors may list keys. */
  async execute({ request: { principal, cursor, limit } }: ListKeysQuery) {
    if (principal.role !== 'auditor') requireAdmin(principal);
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
    const found = await this.keys.list(principal.workspace, after, limit + 1);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: found.length > limit && last ? encodeCursor([last.keyId]) : null };
  }
}

function completeGrant(principal: Principal, grant: CreateKeyCommand['grant']): KeyGrant {
  const workspace = grant.workspace ?? principal.workspace;
  if (workspace !== principal.workspace && !principal.isRoot)
    throw new ForbiddenError('only the root key makes keys for another workspace');
  if (typeof grant.expiresAt === 'string') requireFuture(grant.expiresAt);
  const defined = Object.entries(grant).filter(([, value]) => value !== undefined);
  return { ...defaultGrant, ...Object.fromEntries(defined), role: grant.role, workspace };
}

function agentsInGrant({ agentId, actsFor }: KeyGrant) {
  const others = actsFor.map((one, at) => ({ pointer: `/actsFor/${at}`, agentId: one }));
  return [{ pointer: '/agentId', agentId }, ...others];
}

function requireFuture(expiresAt: string): void {
  const time = parseRfc3339(expiresAt);
  if (time === undefined || Date.parse(time) <= Date.now())
    throw new InvalidInputError([
      { pointer: '/expiresAt', detail: 'must be an RFC 3339 time in the future' },
    ]);
}

/** The rights of a key for members that the request omits. */
const defaultGrant = {
  agentId: null,
  audiences: ['all'],
  actsFor: [],
  contexts: null,
  workflows: null,
  expiresAt: null,
} satisfies Partial<KeyGrant>;
