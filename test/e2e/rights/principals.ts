import { rootKey, type ThroughlineServer } from '../throughline-server.js';

/** The order of the statuses in a cell of the table. */
const roles = ['agent', 'operator', 'auditor', 'admin'] as const;

/** `ada` is the agent in the requests, `bob` another one, and `for ada` a key of bob that may act for ada. */
type Identity = 'ada' | 'bob' | 'for ada';
type Audience = 'all' | 'developer';
type Key = readonly [Audience, Identity];
type Column = Readonly<{
  isAbroad?: boolean;
  /** One key per role, in their order. */
  keys: readonly [Key, Key, Key, Key];
  /** Applies to all roles, or per role. */
  limits?: object | readonly object[];
}>;

const inContext = { contexts: ['epic'] };
const notInContext = { contexts: ['elsewhere'] };
const inWorkflow = { workflows: ['w'] };
const notInWorkflow = { workflows: ['elsewhere'] };

/**
 * Each pair of role, workspace, audience, limit and identity occurs in some key; for limits that do not hide the
 * context, so does each pair of role and audience.
 */
const columns: Readonly<Record<string, Column>> = {
  whole: {
    keys: [
      ['all', 'ada'],
      ['all', 'bob'],
      ['all', 'bob'],
      ['all', 'for ada'],
    ],
  },
  narrow: {
    keys: [
      ['developer', 'bob'],
      ['developer', 'ada'],
      ['developer', 'ada'],
      ['developer', 'ada'],
    ],
  },
  'in context': {
    keys: [
      ['all', 'for ada'],
      ['developer', 'ada'],
      ['developer', 'bob'],
      ['all', 'ada'],
    ],
    limits: inContext,
  },
  'not in context': {
    keys: [
      ['all', 'bob'],
      ['developer', 'ada'],
      ['all', 'bob'],
      ['all', 'for ada'],
    ],
    limits: notInContext,
  },
  'in workflow': {
    keys: [
      ['developer', 'bob'],
      ['all', 'for ada'],
      ['all', 'for ada'],
      ['developer', 'ada'],
    ],
    limits: inWorkflow,
  },
  'not in workflow': {
    keys: [
      ['developer', 'ada'],
      ['all', 'bob'],
      ['developer', 'for ada'],
      ['developer', 'ada'],
    ],
    limits: notInWorkflow,
  },
  abroad: {
    isAbroad: true,
    keys: [
      ['all', 'ada'],
      ['developer', 'bob'],
      ['developer', 'ada'],
      ['all', 'ada'],
    ],
  },
  'abroad, limited': {
    isAbroad: true,
    keys: [
      ['developer', 'bob'],
      ['all', 'for ada'],
      ['all', 'bob'],
      ['developer', 'ada'],
    ],
    limits: [inContext, notInContext, inWorkflow, notInWorkflow],
  },
};

export const columnNames = ['anonymous', 'root', ...Object.keys(columns)];

export type Caller = Readonly<{
  column: string;
  /** The index of its status in the cell. */
  at: number;
  /** The id in paths and bodies: each caller writes to its own items. */
  id: string;
  secret: string | null;
}>;

/** One caller for each status of a row, in the order of the columns. */
export async function createCallers(
  server: ThroughlineServer,
  abroad: string,
): Promise<readonly Caller[]> {
  const createdKeys = Object.entries(columns).flatMap(([column, { isAbroad, keys, limits }]) =>
    roles.map(async (role, at) => {
      const [audience, identity] = keys[at] ?? [];
      const secret = await server.key({
        ...(isAbroad && { workspace: abroad }),
        ...(Array.isArray(limits) ? limits[at] : limits),
        role,
        audiences: [audience],
        agentId: identity === 'ada' ? 'ada' : 'bob',
        actsFor: identity === 'for ada' ? ['ada'] : [],
      });
      return { column, at, id: idOf(column, role), secret };
    }),
  );
  const anonymous = { column: 'anonymous', at: 0, id: 'anonymous', secret: null };
  const root = { column: 'root', at: 0, id: 'root', secret: rootKey };
  return [anonymous, root, ...(await Promise.all(createdKeys))];
}

export const callerIds: readonly string[] = [
  'anonymous',
  'root',
  ...Object.keys(columns).flatMap((column) => roles.map((role) => idOf(column, role))),
];

function idOf(column: string, role: string): string {
  return `${role}-${column.replaceAll(/\W+/g, '-')}`;
}
