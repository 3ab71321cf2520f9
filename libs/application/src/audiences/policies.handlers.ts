import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';

import { contextRegistry } from '#shared-context';
import { type Policy, everything, typesNamed, visibilityOfTypes } from '#visibility';

import { requireFullVisibility } from '../access/reach.js';
import { requireWholeWorkspace } from '../access/authorize.js';
import { InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { AUDIT_LOG, type AuditLog } from '../tokens.js';
import {
  FindPolicyQuery,
  type ListedPolicyView,
  ListPoliciesQuery,
  type PolicyView,
  SetPolicyCommand,
} from './policies.messages.js';
import { pageOfAudiences } from './policy-page.js';
import { PolicyStore, type StoredPolicy } from './policy-store.js';

@QueryHandler(ListPoliciesQuery)
export class ListPoliciesHandler implements IQueryHandler<ListPoliciesQuery> {
  constructor(private readonly policies: PolicyStore) {}

  /** The rules of a policy name agents and steps, which other audiences may not know. */
  async execute({ principal, page }: ListPoliciesQuery) {
    requireFullVisibility(principal);
    const { workspace } = principal;
    const audiences = [
      { audience: everything, bytes: 0 },
      ...(await this.policies.audiences(workspace)),
    ];
    const { items, nextCursor } = pageOfAudiences(audiences, page);
    const stored = await this.policies.findAll(workspace, items);
    return { items: items.flatMap((audience) => listed(audience, stored)), nextCursor };
  }
}

@QueryHandler(FindPolicyQuery)
export class FindPolicyHandler implements IQueryHandler<FindPolicyQuery> {
  constructor(private readonly policies: PolicyStore) {}

  async execute({ principal, audience }: FindPolicyQuery): Promise<PolicyView> {
    if (audience === everything) return viewOfEverything;
    const stored = await this.policies.find({ workspace: principal.workspace, audience });
    if (!stored) throw new ResourceNotFoundError(`there is no audience "${audience}" here`);
    return viewOf(audience, stored);
  }
}

@CommandHandler(SetPolicyCommand)
export class SetPolicyHandler implements ICommandHandler<SetPolicyCommand> {
  constructor(
    private readonly policies: PolicyStore,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ principal, audience, policy }: SetPolicyCommand): Promise<PolicyView> {
    requireWholeWorkspace(principal);
    if (audience === everything)
      throw new InvalidInputError([
        { pointer: '/audience', detail: 'all sees everything: name another audience' },
      ]);
    requireKnownTypes(policy);
    const { workspace, name } = principal;
    await this.policies.set({ workspace, audience }, policy, name);
    this.audit({ workspace, types: ['PolicySet'], principal: name });
    const stored = await this.policies.find({ workspace, audience });
    if (!stored) throw new Error(`the policy of audience "${audience}" was set but is not found`);
    return viewOf(audience, stored);
  }
}

/** The audience `all` has no policy. */
const viewOfEverything: PolicyView = {
  audience: everything,
  version: 0,
  builtIn: true,
  show: [{ types: ['*'] }],
};

function listed(
  audience: string,
  stored: ReadonlyMap<string, StoredPolicy>,
): readonly ListedPolicyView[] {
  if (audience === everything)
    return [{ ...viewOfEverything, events: visibilityOfTypes(undefined) }];
  const found = stored.get(audience);
  return found ? [{ ...viewOf(audience, found), events: visibilityOfTypes(found.policy) }] : [];
}

function viewOf(audience: string, { version, policy }: StoredPolicy): PolicyView {
  return { audience, version, builtIn: version === 0, ...policy };
}

function requireKnownTypes(policy: Policy): void {
  const unknown = typesNamed(policy).filter(
    ({ type }) => type !== '*' && !contextRegistry.find(type),
  );
  if (unknown.length === 0) return;
  throw new InvalidInputError(
    unknown.map(({ pointer, type }) => ({
      pointer,
      detail: `"${type}" is not a type of event: name one, or * for all`,
    })),
  );
}
