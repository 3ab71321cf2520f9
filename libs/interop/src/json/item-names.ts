import { inputRuleFaults } from '#event-sourcing';
import { identifier } from '#shared-context';

import { UniqueNames } from '../text/unique-names.js';

/** The suffix of revisions of items. */
const revision = /~\d+$/;

/** Unique names for the items of one kind. */
export class ItemNames {
  readonly #names = new UniqueNames();

  /** The stated name if an item can have it, else `otherwise`; with `-2`, `-3` if the name is used already. */
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
