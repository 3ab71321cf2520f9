import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { agentDefinition, readContract } from '#agent-contracts';
import {
  type ContextDocument,
  type DocumentFormat,
  type DocumentReading,
  DocumentError,
  bmadSessionFormat,
  readContextDocument,
  sddContextFormat,
} from '#interop';
import {
  ContextState,
  clientEvent,
  commandFromEvent,
  contextDecider,
  renderDocument,
} from '#shared-context';
import { recordContextEvent } from '#testing';
import { compileTransformation, transformationDefinition } from '#transformations';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const seeds = resolve(data, '..', 'seeds');
const file = join(data, 'handoffs', 'context-files.jsonl');

type Line = Readonly<{ source: string; path: string; text: string }>;
type Count = Record<'fully' | 'partly' | 'refused', number>;

function imported({ creation, events, contextId }: DocumentReading): ContextDocument {
  let state = ContextState.from([]);
  let version = 0;
  const commands = [
    { type: 'CreateContext', data: creation } as const,
    ...events.map(({ event }) =>
      event.type === 'BaselineImported'
        ? ({ type: 'ImportBaseline', data: event.data } as const)
        : commandFromEvent(clientEvent.parse(event), () => `made-${version}`),
    ),
  ];
  for (const command of commands)
    for (const event of contextDecider.decide(command, state))
      state = state.apply(recordContextEvent(event, ++version));
  const facts = {
    workspace: 'default',
    contextId,
    version,
    lastModifiedAt: '',
    lastModifiedBy: '',
  };
  const size = { events: version, bytes: 0, tokens: 0 };
  return readContextDocument(renderDocument([...state.values()], { ...facts, size }));
}

/**
 * Whether all parts of a document became events, or some remained text; in both cases it must be exported unchanged.
 */
function outcomeOf(format: DocumentFormat, { path, text }: Line): keyof Count {
  const reading = readOrRefuse(format, { name: path, text });
  if (!reading) return 'refused';
  const before = imported(reading);
  const sources = reading.documents.map((source) => ({ ...source, removed: [], before }));
  const written = format.write?.({ document: before, baseline: null, sources });
  expect(written?.documents).toEqual([{ name: path, text }]);
  return reading.notes.some(({ kind }) => kind === 'text') ? 'partly' : 'fully';
}

function readOrRefuse(
  { read }: DocumentFormat,
  document: Readonly<{ name: string; text: string }>,
) {
  try {
    return read?.([document], {});
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The YAML of the session's description, with each part as a document. */
function rulesIn(seed: string): readonly { name: string; text: string }[] {
  const text = readFileSync(join(seeds, seed), 'utf8');
  return [
    ['validation_rules:', '\nContext Transformation Engine'],
    ['transformations:', '\nContext Access Methods'],
    ['context_persistence:', '\nThis Context Engine'],
  ].map(([begin = '', end = ''], at) => {
    const from = text.indexOf(`\n${begin}`) + 1;
    return { name: `rules-${at}.yaml`, text: text.slice(from, text.indexOf(end, from)) };
  });
}

/** The example that begins with this text, up to its closing brace. */
function exampleIn(seed: string, begin: string): string {
  const text = readFileSync(join(seeds, seed), 'utf8');
  const from = text.indexOf(begin);
  return text.slice(from, text.indexOf('\n}', from) + 3);
}

if (existsSync(seeds)) {
  describe(`the documents that the formats were described by, in ${seeds}`, () => {
    it('are exported byte for byte, the manifest without a note', () => {
      const manifest = exampleIn('002-context-manifest.md', '{\n  "feature_id"');
      const session = exampleIn('003-context-engine.md', '{\n  "session_id"');
      const read = readOrRefuse(sddContextFormat, { name: 'context.json', text: manifest });
      expect(read?.notes).toEqual([]);
      expect(read?.events).toHaveLength(27);
      const line = { source: '', path: 'document.json' };
      expect(outcomeOf(sddContextFormat, { ...line, text: manifest })).toBe('fully');
      // The agents in it are forms to fill in.
      expect(outcomeOf(bmadSessionFormat, { ...line, text: session })).toBe('partly');
    });

    it('define agents and transformations that the registry accepts', () => {
      const session = exampleIn('003-context-engine.md', '{\n  "session_id"');
      const documents = [
        { name: 'session.json', text: session },
        ...rulesIn('003-context-engine.md'),
      ];
      const { registrations, notes } = bmadSessionFormat.read?.(documents, {}) as DocumentReading;
      const { agents = [], transformations = [] } = registrations ?? {};
      for (const { agentId, definition } of agents)
        readContract(agentId, agentDefinition.parse(definition));
      for (const { transformationId, definition } of transformations)
        compileTransformation(
          { transformationId, version: 1 },
          transformationDefinition.parse(definition),
        );
      expect(agents.map(({ agentId }) => agentId)).toEqual([
        'pm',
        'architect',
        'ux_expert',
        'developer',
        'qa',
      ]);
      expect(transformations.map((one) => one.transformationId)).toEqual([
        'complexity_scoring',
        'workflow_adaptation',
        'technology_constraints_propagation',
      ]);
      const leftOut = notes.filter(({ kind }) => kind === 'left-out');
      expect(leftOut.map(({ pointer }) => pointer)).toEqual([
        '/validation_rules/analyst/inputs/user_specification',
        '/transformations/user_persona_enrichment',
        '/context_persistence',
        '/recovery_mechanisms',
      ]);
    });
  });
}

if (existsSync(file)) {
  describe(`the real contexts, sessions and logs in ${file}`, () => {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    // The README of the files describes their lines.
    const records = lines.map((line) => JSON.parse(line) as Line);

    it.each([
      [
        sddContextFormat,
        {
          'oimiragieo/BMAD-SPEC-KIT': { fully: 0, partly: 0, refused: 1 },
          'yonatangross/skillforge-claude-plugin': { fully: 0, partly: 10, refused: 52 },
        },
      ],
      [
        bmadSessionFormat,
        {
          'oimiragieo/BMAD-SPEC-KIT': { fully: 1, partly: 0, refused: 0 },
          'yonatangross/skillforge-claude-plugin': { fully: 11, partly: 0, refused: 51 },
        },
      ],
    ])('are exported byte for byte, or are refused', (format, expected) => {
      const counts = new Map<string, Count>();
      for (const record of records) {
        const count = counts.get(record.source) ?? { fully: 0, partly: 0, refused: 0 };
        count[outcomeOf(format, record)] += 1;
        counts.set(record.source, count);
      }
      expect(Object.fromEntries(counts)).toEqual(expected);
    });
  });
} else {
  describe(`the real contexts, sessions and logs, ABSENT in ${file}`, () => {
    it('are not read here', () => {
      expect(existsSync(file)).toBe(false);
    });
  });
}
