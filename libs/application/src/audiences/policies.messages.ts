import { Command, Query } from '@nestjs/cqrs';

import { type Policy } from '#visibility';

import { type Principal } from '../access/principal.js';

/** `version`: 0 for a built-in policy. */
export type PolicyView = Readonly<{ audience: string; version: number; builtIn: boolean }> & Policy;

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
