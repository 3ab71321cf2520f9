import { Command, Query } from '@nestjs/cqrs';

import { type Principal, type Role } from '../access/principal.js';
import { type KeyGrant, type KeyView } from '../authentication/key-grant.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** `workspace` defaults to that of the caller; only the root key may name another. */
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
 * Takes effect at once in this process and within a second in every other, for waiting requests too: these never return events
 * that are stored after the revocation. Repeating the command changes nothing.
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
