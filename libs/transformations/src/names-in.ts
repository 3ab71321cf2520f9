import { type Syntax } from '#expressions';

/** The names an expression looks up, but for the `item` of list functions. */
export function namesIn(tree: Syntax | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    // A tree is JSON, and what has a kind in it is a node.
    const { kind, name } = part as { kind?: unknown; name?: unknown };
    if (kind === 'name' && typeof name === 'string' && name !== 'item') names.add(name);
    open.push(...Object.values(part));
  }
  return names;
}
