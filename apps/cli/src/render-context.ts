import { z } from 'zod';

import { childRows, familyParts, summaryLine } from './render-family.js';
import { qualityParts, qualityRows } from './render-quality.js';
import { type Rows, workParts, workRows } from './render-work.js';
import { formatTable } from './table.js';
import { oneLine, printableLine } from './printable.js';

const maybe = z.string().nullish();
const named = z.record(z.string(), z.unknown()).default({});

/** The members of a context that are printed; --json prints all. */
export const contextDocument = z.looseObject({
  contextId: z.string(),
  title: maybe,
  status: z.string(),
  workflow: z.looseObject({ definitionId: z.string(), version: z.number() }).nullish(),
  outcome: maybe,
  currentState: z.looseObject({ phase: maybe, activeAgent: maybe, status: maybe }).nullish(),
  input: z.unknown().optional(),
  globalContext: named,
  stepOutputs: named,
  decisionHistory: z
    .array(
      z.looseObject({
        decisionId: z.string(),
        decision: z.string(),
        agentId: maybe,
        live: z.boolean(),
        stale: z.boolean().default(false),
      }),
    )
    .default([]),
  userPreferences: named,
  artifactReferences: z
    .array(z.looseObject({ artifactId: z.string(), artifactType: maybe, path: maybe, uri: maybe }))
    .default([]),
  ...workParts,
  ...familyParts,
  ...qualityParts,
  size: z.looseObject({ events: z.number(), bytes: z.number(), tokens: z.number() }).optional(),
  _version: z.number(),
  _lastModifiedAt: z.string(),
  _lastModifiedBy: z.string(),
});

type Document = z.output<typeof contextDocument>;

const widestLine = 100;

export function renderContext(document: Document): string {
  return [
    ...heading(document),
    ...section('Children', rowsOf(childRows(document))),
    ...section('Input', inputOf(document)),
    ...section('Global context', values(document.globalContext)),
    ...section('Preferences', values(document.userPreferences)),
    ...section('Step outputs', values(document.stepOutputs)),
    ...section('Decisions', decisions(document)),
    ...section('Artifacts', artifacts(document)),
    ...[...workRows(document), ...qualityRows(document)].flatMap(([title, rows]) =>
      section(title, rowsOf(rows)),
    ),
  ].join('\n');
}

function heading(document: Document): string[] {
  const { workflow, size } = document;
  const title = document.title ? `  ${printableLine(document.title)}` : '';
  const facts: (readonly [string, string | undefined])[] = [
    [
      'version',
      `${document._version} by ${document._lastModifiedBy} at ${document._lastModifiedAt}`,
    ],
    ['workflow', workflow ? `${workflow.definitionId} version ${workflow.version}` : undefined],
    ['outcome', document.outcome ?? undefined],
    ['state', stateText(document)],
    ['children', summaryLine(document)],
    ['size', size && `${size.events} events, ${size.bytes} bytes, ${size.tokens} tokens`],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value ? [`${name.padEnd(9)} ${printableLine(value)}`] : [],
  );
  return [`${document.contextId}  ${document.status}${title}`, ...lines];
}

function stateText({ currentState: state }: Document): string | undefined {
  return [state?.phase, state?.activeAgent, state?.status].filter(Boolean).join(', ') || undefined;
}

function section(title: string, body: string): string[] {
  return body === '' ? [] : ['', title, ...body.split('\n').map((line) => `  ${line}`)];
}

function values(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .map(([name, value]) => oneLine(`${name}: ${JSON.stringify(value)}`, widestLine))
    .join('\n');
}

/** Renders the members of an object on separate lines; empty for null and an empty object. */
function inputOf({ input }: Document): string {
  if (input === null || input === undefined) return '';
  if (typeof input !== 'object' || Array.isArray(input))
    return oneLine(JSON.stringify(input), widestLine);
  return values(Object.fromEntries(Object.entries(input)));
}

function decisions({ decisionHistory }: Document): string {
  return rowsOf(
    decisionHistory.map(({ decisionId, live, stale, agentId, decision }) => [
      decisionId,
      `${live ? 'live' : 'past'}${stale ? ', stale' : ''}`,
      agentId,
      decision,
    ]),
  );
}

function artifacts({ artifactReferences }: Document): string {
  return rowsOf(
    artifactReferences.map(({ artifactId, artifactType, path, uri }) => [
      artifactId,
      artifactType,
      path ?? uri,
    ]),
  );
}

/** Aligns rows in columns without headings. */
function rowsOf(rows: Rows): string {
  const [first] = rows;
  if (!first) return '';
  return formatTable(
    first.map(() => ''),
    rows,
  )
    .split('\n')
    .slice(1)
    .join('\n');
}
