import type pg from 'pg';

/** What is sent over the connections of a pool: every statement is a round trip. */
export type SentStatements = Readonly<{
  /** Those sent while `work` ran, as texts, in their order. */
  during: (work: () => Promise<unknown>) => Promise<readonly string[]>;
}>;

/** Listens to the statements of a pool from now on. */
export function listenToStatements(pool: pg.Pool): SentStatements {
  const heard = new WeakSet<pg.PoolClient>();
  let texts: string[] = [];
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    // The driver's overloads cannot be written as one function; the arguments pass through as they are.
    client.query = ((statement: unknown, ...rest: unknown[]) => {
      texts.push(textOf(statement));
      return query(statement, ...rest);
    }) as typeof client.query;
  });
  return {
    during: async (work) => {
      texts = [];
      await work();
      return texts;
    },
  };
}

function textOf(statement: unknown): string {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement
      ? statement.text
      : statement;
  return String(text).replace(/\s+/g, ' ').trim();
}
