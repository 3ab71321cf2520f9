import { Command, Query } from '@nestjs/cqrs';

import { type Principal, type Role } from '../access/principal.js';
import { type KeyGrant, type KeyView } from '../authentication/key-grant.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** `workspace` defaults to the caller's; only root may name another. */
export class CreateKeyCommand extends Command<KeyView & Readonly<{ secret: string }>> {
  constructor(
    readonly principal: Principal,
    readonly grant: Readonly<{ [Field in keyof KeyGrant]?: KeyGrant[Field] | undefined }> &
      Readonly<{ role: Role }>,
  ) {
    super();
  }
}

/**
 * Takes effect at once in this process and within a second in every other, for requests that wait as well: these are answered
 * with nothing meanwhile. Revoking twice is the same as once.
 */
export class RevokeKeyCommand extends Command<void> {
  constructor(
    readonly principal: Principal,
    readonly keyId: string,
  ) {
    super();
  }
}

export class ListKeysQuery extends Query<Page<KeyView>> {
  constructor(readonly request: Readonly<{ principal: Principal }> & PageRequest) {
    super();
  }
}
