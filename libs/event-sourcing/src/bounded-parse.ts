import { z } from 'zod';

import { eachList, leadsToList, type ValueLocation, type SchemaEntry } from './schema-lists.js';

/** The maximum number of reported issues. */
export const maxIssues = 100;

/** Zod collects the issues of all entries before it returns, and throws if there are too many. */
const maxEntriesAtOnce = 1_000;

type Issue = z.core.$ZodIssue;
type Params = z.core.ParseContext<Issue>;

/** `more`: the number of invalid list entries that `issues` does not report. */
type ParseResult<Output> =
  | Readonly<{ success: true; data: Output }>
  | Readonly<{ success: false; issues: readonly Issue[]; more: number }>;

/**
 * Parses a value of any size. If its lists have many entries, these are parsed one by one, and only the first issues
 * are returned, so that the memory for issues is bounded. Lists whose entries contain lists need a limit in the schema.
 */
export function parseBounded<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  params: Params = {},
): ParseResult<z.output<Schema>> {
  const place = { schema, value, path: [] };
  if (countEntries(place) > maxEntriesAtOnce) {
    const entryIssues = new EntryIssues(params).add(place);
    if (entryIssues.issues.length > 0)
      return { success: false, issues: entryIssues.issues, more: entryIssues.more };
  }
  const parsed = schema.safeParse(value, params);
  if (parsed.success) return parsed;
  return { success: false, issues: parsed.error.issues, more: 0 };
}

function countEntries(place: ValueLocation): number {
  let count = 0;
  eachList(place, (list) => {
    count += list.size;
    if (!leadsToList(list.element)) return;
    for (const [, value] of list.entries())
      count += countEntries({ schema: list.element, value, path: [] });
  });
  return count;
}

class EntryIssues {
  readonly issues: Issue[] = [];
  more = 0;

  constructor(private readonly params: Params) {}

  /** Adds the issues of the entries in all lists of the value. */
  add(place: ValueLocation): this {
    eachList(place, (list) => {
      const { element, path } = list;
      if (list.key) this.#check(list.key, list.keys(), path);
      if (!leadsToList(element)) return this.#check(element, list.entries(), path);
      // The entries themselves are parsed with the value as a whole.
      for (const [at, value] of list.entries())
        this.add({ schema: element, value, path: [...path, at] });
    });
    return this;
  }

  #check(
    schema: z.core.$ZodType,
    entries: Iterable<SchemaEntry>,
    path: ValueLocation['path'],
  ): void {
    for (const [at, value] of entries) {
      if (z.validate(schema, value)) continue;
      if (this.issues.length < maxIssues) this.#name({ schema, value, path: [...path, at] });
      else this.more += 1;
    }
  }

  #name({ schema, value, path }: ValueLocation): void {
    const { error } = z.safeParse(schema, value, this.params);
    for (const issue of error?.issues ?? [])
      this.issues.push({ ...issue, path: [...path, ...issue.path] });
  }
}
