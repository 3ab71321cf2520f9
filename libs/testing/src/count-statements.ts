import type pg from 'pg';

/** The cost of reads: statements, returned rows, and the characters of the texts in these rows. */
type ReadCosts = Readonly<{ statements: number; rows: number; characters: number }>;

/** A statement as the driver received it. */
export type SentStatement = Readonly<{ text: string; values: readonly unknown[] }>;

/** The statements sent over the connections of a pool: every statement is a round trip. */
type SentStatements = Readonly<{
  /** The texts of the statements sent while `work` ran, in their order. */
  during: (work: () => Promise<unknown>) => Promise<readonly string[]>;
  /**
   * Like {@link during}, with the parameters. Later statements are added to the list until the next `work` is passed.
   */
  withValues: (work: () => Promise<unknown>) => Promise<readonly SentStatement[]>;
  costs: (work: () => Promise<unknown>) => Promise<ReadCosts>;
}>;

/** Records the statements of a pool from now on. */
export function listenToStatements(pool: pg.Pool): SentStatements {
  const wrapped = new WeakSet<pg.PoolClient>();
  let sent: SentStatement[] = [];
  let rows: object[] = [];
  const note = (result: unknown) => {
    if (isResult(result)) rows.push(...result.rows);
    return result;
  };
  pool.on('acquire', (client) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    // The driver's overloads cannot be written as one function; the arguments are passed on unchanged.
    client.query = ((statement: unknown, ...rest: unknown[]) => {
      sent.push({ text: textOf(statement), values: valuesOf(statement, rest) });
      const callback = rest.at(-1);
      if (typeof callback !== 'function') return noteLater(query(statement, ...rest), note);
      const noting = (error: unknown, result: unknown) => callback(error, note(result));
      return query(statement, ...rest.slice(0, -1), noting);
    }) as typeof client.query;
  });
  const withValues = async (work: () => Promise<unknown>) => {
    [sent, rows] = [[], []];
    await work();
    return sent;
  };
  const during = async (work: () => Promise<unknown>) =>
    (await withValues(work)).map(({ text }) => text);
  return {
    during,
    withValues,
    costs: async (work) => {
      const { length: statements } = await during(work);
      return { statements, rows: rows.length, characters: charactersIn(rows) };
    },
  };
}

type Note = (result: unknown) => unknown;

function noteLater(answer: unknown, note: Note): unknown {
  return answer instanceof Promise ? answer.then(note) : answer;
}

function isResult(result: unknown): result is { rows: object[] } {
  return (
    typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows)
  );
}

function charactersIn(rows: readonly object[]): number {
  const values = rows.flatMap((row) => Object.values(row));
  return values.reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

function valuesOf(statement: unknown, rest: readonly unknown[]): readonly unknown[] {
  const isConfig = typeof statement === 'object' && statement !== null && 'values' in statement;
  const values = isConfig ? statement.values : rest[0];
  return Array.isArray(values) ? values : [];
}

function textOf(statement: unknown): string {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement
      ? statement.text
      : statement;
  return String(text).replace(/\s+/g, ' ').trim();
}
