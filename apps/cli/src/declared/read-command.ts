import { z } from 'zod';

import { type ApiAnswer, parseAnswer } from '../api-client.js';
import { type CliCommand, type FlagDescription } from '../command.js';
import { pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';
import { addressOf, contextArgument, namesIn, parseOptionValues } from './address.js';
import { type OptionValues } from './field-body.js';
import { cellOf, memberAt, renderMembers } from './member-text.js';

type ReadTexts = Readonly<{
  name: string;
  summary: string;
  examples: readonly string[];
  arguments?: readonly FlagDescription[];
  options?: readonly FlagDescription[];
}>;

type ReadDeclaration = ReadTexts &
  Readonly<{
    /** The address below `/v1`, with arguments in braces. */
    path: string;
    /** Query parameters in addition to the options. */
    query?: Readonly<Record<string, string>>;
    /** Renders the answer for people; by default the names and values of its members. */
    render?: (answer: ApiAnswer, given: OptionValues) => string;
  }>;

/** The heading, and the path of the member for `memberAt`. */
type Column = readonly [heading: string, member: string];

type TableTexts = ReadTexts & Readonly<{ columns: readonly Column[]; empty: string }>;

export const asOfOption: FlagDescription = [
  '--as-of <position>',
  'a version, or a time with offset as RFC 3339',
];
export const audienceOption: FlagDescription = ['--audience <name>', 'as this audience sees it'];

/** Defines a command that reads one resource and prints it. */
export function defineRead(declaration: ReadDeclaration): CliCommand {
  const { path, query = {}, render = renderObject, ...texts } = declaration;
  return {
    ...texts,
    run: async ({ api, show }, given) => {
      const values = parseOptionValues(given);
      const answer = await api.send({
        path: addressOf(path, values),
        query: { ...queryOf(values, namesIn(path)), ...query },
      });
      show(answer, () => render(answer, values));
    },
  };
}

/** Defines a command that prints a page of a list as a table. */
export function defineList(
  declaration: TableTexts & Pick<ReadDeclaration, 'path' | 'query'>,
): CliCommand {
  const { columns, empty, options = [], ...read } = declaration;
  return defineRead({
    ...read,
    options: [...options, ...pageOptions],
    render: (answer) => {
      const { items, nextCursor } = parseAnswer(page, answer);
      return withNext(renderTable(items, { columns, empty }), nextCursor);
    },
  });
}

/**
 * Defines a command that prints a part of the document as a table. `member`: path of the part. The rows of an object are its
 * members as `key` and `value`.
 */
export function definePart(declaration: TableTexts & Readonly<{ member: string }>): CliCommand {
  const { columns, empty, member, ...texts } = declaration;
  const [parts = member] = member.split('.');
  return defineRead({
    ...texts,
    arguments: [contextArgument],
    options: [asOfOption, audienceOption],
    path: 'contexts/{context}',
    query: { parts },
    render: (answer) => {
      const part = memberAt(parseAnswer(object, answer), member);
      return renderTable(rowsOf(part), { columns, empty });
    },
  });
}

/** Returns options as query parameters; the entries of a list are joined with commas. */
export function queryOf(given: OptionValues, without: readonly string[]): Record<string, string> {
  const parameters = Object.entries(given).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    parameters.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
    ),
  );
}

const object = z.looseObject({});
const page = pageOf(z.unknown());

function rowsOf(part: unknown): readonly unknown[] {
  if (Array.isArray(part)) return part;
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).map(([key, value]: [string, unknown]) => ({ key, value }));
}

function renderTable(
  items: readonly unknown[],
  { columns, empty }: Pick<TableTexts, 'columns' | 'empty'>,
): string {
  if (items.length === 0) return empty;
  return formatTable(
    columns.map(([heading]) => heading),
    items.map((item) => columns.map(([, member]) => cellOf(memberAt(item, member)))),
  );
}

function renderObject(answer: ApiAnswer): string {
  return renderMembers(parseAnswer(object, answer));
}
