/** `insert` follows `after`, which occurs once in the file. */
export type Edit = Readonly<{ file: string; after: string; insert: string }>;

const plan = 'libs/shared-context/src/plan';

/** The edits of the recipe in CONTRIBUTING.md, for an event of the feature `plan` that creates items of a new kind. */
export const edits: readonly Edit[] = [
  {
    file: `${plan}/plan.events.ts`,
    after: `client: { command: 'ClearBlocker', payload: blockerClearedPayload },
});
`,
    insert: `
const assumptionStatedPayload = z.strictObject({ assumptionId: identifier, text });

export const assumptionStated = defineClientEvent('AssumptionStated', assumptionStatedPayload, {
  line: ({ assumptionId, text: said }) => \`assumption \${assumptionId}: \${said}\`,
  idMember: 'assumptionId',
  client: {
    command: 'StateAssumption',
    payload: assumptionStatedPayload.extend({ assumptionId: identifier.optional() }),
  },
});
`,
  },
  {
    file: `${plan}/plan.events.ts`,
    after: `  blockerCleared,
`,
    insert: `  assumptionStated,
`,
  },
  {
    file: `${plan}/plan.events.ts`,
    after: `export const planItemKinds = [
`,
    insert: `  defineItemKind('assumption', {
    rulesReadBody: true,
    view: { section: 'plan', heading: ['assumptionId'] },
  }),
`,
  },
  {
    file: `${plan}/plan.item.ts`,
    after: `import { member } from '../json.js';
`,
    insert: `
export function assumptionKey(assumptionId: string): ItemKey {
  return { kind: 'assumption', key: assumptionId };
}
`,
  },
  {
    file: `${plan}/plan.decider.ts`,
    after: `import {
  blockerKey,
`,
    insert: `  assumptionKey,
`,
  },
  {
    file: `${plan}/plan.decider.ts`,
    after: `  | 'ClearBlocker'
`,
    insert: `  | 'StateAssumption'
`,
  },
  {
    file: `${plan}/plan.decider.ts`,
    after: `        : [{ type: 'BlockerCleared', data }],
  },
`,
    insert: `  StateAssumption: {
    reads: ({ data }) => [assumptionKey(data.assumptionId)],
    decide: ({ data }, current) =>
      jsonEquals(current('assumption', data.assumptionId)?.body, asJson(data))
        ? []
        : [{ type: 'AssumptionStated', data }],
  },
`,
  },
  {
    file: `${plan}/plan.fold.ts`,
    after: `  | 'BlockerCleared'
`,
    insert: `  | 'AssumptionStated'
`,
  },
  {
    file: `${plan}/plan.fold.ts`,
    after: `import { blockerKey`,
    insert: `, assumptionKey`,
  },
  {
    file: `${plan}/plan.fold.ts`,
    after: `      return changeItem(
        blockerKey(blockerId),
        { facts, members: asJson(defined({ note })) },
        current,
      );
    },
  },
`,
    insert: `  AssumptionStated: {
    touches: ({ data }) => [assumptionKey(data.assumptionId)],
    fold: (event) => [
      {
        ...assumptionKey(event.data.assumptionId),
        state: authorship(event),
        body: asJson(event.data),
      },
    ],
  },
`,
  },
  {
    file: `${plan}/plan.document.ts`,
    after: `    risks: { schema: listSchema, searched: { shape: 'list' } },
`,
    insert: `    assumptions: {
      schema: listSchema.meta({ description: 'Every assumption, oldest first' }),
      searched: { shape: 'list' },
    },
`,
  },
  {
    file: `${plan}/plan.document.ts`,
    after: `  kinds: ['requirement', 'risk', 'dependency', 'blocker'`,
    insert: `, 'assumption'`,
  },
  {
    file: `${plan}/plan.document.ts`,
    after: `  listed: [
`,
    insert: `    { kind: 'assumption', list: 'assumptions', render: renderEntry },
`,
  },
  {
    file: `${plan}/plan.document.ts`,
    after: `    risks: oldestFirst('risk', items).map(renderRisk),
`,
    insert: `    assumptions: oldestFirst('assumption', items).map(renderEntry),
`,
  },
  {
    file: 'apps/api/src/plan/plan.controllers.ts',
    after: `export const planControllers = [
`,
    insert: `  appendController('stateAssumption', {
    path: '/v1/contexts/{contextId}/assumptions',
    tag: 'Plan',
    summary: 'State an assumption',
    body: eventBody('AssumptionStated'),
    example: { text: 'Readers are online' },
  }),
`,
  },
];
