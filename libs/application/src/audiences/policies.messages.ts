import { Command, Query } from '@nestjs/cqrs';

import { type Policy, type TypeVisibility } from '#visibility';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** `version`: 0 for a built-in policy. */
export type PolicyView = Readonly<{ audience: string; version: number; builtIn: boolean }> & Policy;

/** A policy with its effect on each type of events. */
export type ListedPolicyView = PolicyView & Readonly<{ events: readonly TypeVisibility[] }>;

/** The current policies of all audiences, built in or defined, sorted by audience. */
export class ListPoliciesQuery extends Query<Page<ListedPolicyView>> {
  constructor(
    readonly principal: Principal,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** The current policy of an audience. Throws ResourceNotFoundError if the audience is not defined. */
export class FindPolicyQuery extends Query<PolicyView> {
  constructor(
    readonly principal: Principal,
    readonly audience: string,
  ) {
    super();
  }
}

/** Takes effect with the next read, in every process. An equal policy creates no new version. */
export class SetPolicyCommand extends Command<PolicyView> {
  constructor(
    readonly principal: Principal,
    readonly audience: string,
    readonly policy: Policy,
  ) {
    super();
  }
}
