import type pg from 'pg';

/** What reads cost: statements, the rows they answered, and the characters of the texts in these rows. */
export type ReadCosts = Readonly<{ statements: number; rows: number; characters: number }>;

/** What is sent over the connections of a pool: every statement is a round trip. */
export type SentStatements = Readonly<{
  /** Those sent while `work` ran, as texts, in their order. */
  during: (work: () => Promise<unknown>) => Promise<readonly string[]>;
  costs: (work: () => Promise<unknown>) => Promise<ReadCosts>;
}>;

/** Listens to the statements of a pool from now on. */
export function listenToStatements(pool: pg.Pool): SentStatements {
  const heard = new WeakSet<pg.PoolClient>();
  let texts: string[] = [];
  let rows: object[] = [];
  const note = (result: unknown) => {
    if (isResult(result)) rows.push(...result.rows);
    return result;
  };
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    // The driver's overloads cannot be written as one function; the arguments pass through as they are.
    client.query = ((statement: unknown, ...rest: unknown[]) => {
      texts.push(textOf(statement));
      const callback = rest.at(-1);
      if (typeof callback !== 'function') return noteLater(query(statement, ...rest), note);
      const noting = (error: unknown, result: unknown) => callback(error, note(result));
      return query(statement, ...rest.slice(0, -1), noting);
    }) as typeof client.query;
  });
  const during = async (work: () => Promise<unknown>) => {
    [texts, rows] = [[], []];
    await work();
    return texts;
  };
  return {
    during,
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

function textOf(statement: unknown): string {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement
      ? statement.text
      : statement;
  return String(text).replace(/\s+/g, ' ').trim();
}
