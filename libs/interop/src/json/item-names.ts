import { inputRuleFaults } from '#event-sourcing';
import { identifier } from '#shared-context';

/** Such endings name revisions of items. */
const revision = /~\d+$/;

/** Names of the items of one kind, each given once. */
export class ItemNames {
  readonly #taken = new Set<string>();
  /** The number that a repeated name gets next. */
  readonly #next = new Map<string, number>();

  /** The name that a document states, if items may have it, or else `otherwise`; with `-2`, `-3` if it is taken. */
  take(stated: string | undefined, otherwise: string): string {
    const wanted = stated !== undefined && isUsable(stated) ? stated : otherwise;
    let name = wanted;
    let number = this.#next.get(wanted) ?? 2;
    for (; this.#taken.has(name); number++) name = `${wanted}-${number}`;
    this.#next.set(wanted, number);
    this.#taken.add(name);
    return name;
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
