import { z } from 'zod';

import { type ApiAnswer, parseAnswer } from '../api-client.js';
import { type CliCommand, type Described } from '../command.js';
import { pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';
import { addressOf, contextArgument, namesIn, parseGiven } from './address.js';
import { type GivenValues } from './field-body.js';
import { cellOf, memberAt, renderMembers } from './member-text.js';

type ReadTexts = Readonly<{
  name: string;
  summary: string;
  examples: readonly string[];
  arguments?: readonly Described[];
  options?: readonly Described[];
}>;

type ReadDeclaration = ReadTexts &
  Readonly<{
    /** The address below `/v1`, with arguments in braces. */
    path: string;
    /** Parameters beside the options, which are sent under their own names. */
    query?: Readonly<Record<string, string>>;
    /** For people: the members of the answer under their names unless it says otherwise. */
    render?: (answer: ApiAnswer, given: GivenValues) => string;
  }>;

/** Heading and member of an item, as `memberAt` finds it. */
type Column = readonly [heading: string, member: string];

type TableTexts = ReadTexts & Readonly<{ columns: readonly Column[]; empty: string }>;

export const asOfOption: Described = [
  '--as-of <position>',
  'a version, or a time with offset as RFC 3339',
];
export const audienceOption: Described = ['--audience <name>', 'as this audience sees it'];

/** A command that reads one thing and prints it. */
export function defineRead(declaration: ReadDeclaration): CliCommand {
  const { path, query = {}, render = renderObject, ...texts } = declaration;
  return {
    ...texts,
    run: async ({ api, show }, given) => {
      const values = parseGiven(given);
      const answer = await api.send({
        path: addressOf(path, values),
        query: { ...queryOf(values, namesIn(path)), ...query },
      });
      show(answer, () => render(answer, values));
    },
  };
}

/** A command that prints a page of a list as a table. */
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
 * A command that prints a list of the document as a table; `member` is where it is in the document. The rows of an object are its
 * members as `key` and `value`.
 */
export function definePart(declaration: TableTexts & Readonly<{ member: string }>): CliCommand {
  const { columns, empty, member, ...texts } = declaration;
  const [part = member] = member.split('.');
  return defineRead({
    ...texts,
    arguments: [contextArgument],
    options: [asOfOption, audienceOption],
    path: 'contexts/{context}',
    query: { parts: part },
    render: (answer) => {
      const found = memberAt(parseAnswer(object, answer), member);
      return renderTable(rowsOf(found), { columns, empty });
    },
  });
}

/** Options as parameters: lists with commas between their entries. */
export function queryOf(given: GivenValues, without: readonly string[]): Record<string, string> {
  const stated = Object.entries(given).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    stated.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
    ),
  );
}

const object = z.looseObject({});
const page = pageOf(z.unknown());

function rowsOf(found: unknown): readonly unknown[] {
  if (Array.isArray(found)) return found;
  if (typeof found !== 'object' || found === null) return [];
  return Object.entries(found).map(([key, value]: [string, unknown]) => ({ key, value }));
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
