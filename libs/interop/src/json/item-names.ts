import { inputRuleFaults } from '#event-sourcing';
import { identifier } from '#shared-context';

import { UniqueNames } from '../text/unique-names.js';

/** Such endings name revisions of items. */
const revision = /~\d+$/;

/** Names of the items of one kind, each given once. */
export class ItemNames {
  readonly #names = new UniqueNames();

  /** The name that a document states, if items may have it, or else `otherwise`; with `-2`, `-3` if it is taken. */
  take(stated: string | undefined, otherwise: string): string {
    return this.#names.take(stated !== undefined && isUsable(stated) ? stated : otherwise);
  }
}

function isUsable(name: string): boolean {
  return (
    name.length <= 200 &&
    !revision.test(name) &&
    identifier.safeParse(name).success &&
    inputRuleFaults(identifier, name).faults.length === 0
  );
}
