import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Envelope, type JsonValue } from '#event-sourcing';
import { ContextState, type Item, contextRegistry, recordedEvent } from '#shared-context';

import { digestOf } from './digests/index.js';
import { rendererVersions } from './receipts/renderer-versions.js';
import { viewSource } from './sources/view-source.js';
import { tokenizerOf } from './tokens/tokenizer.js';
import { renderView } from './view.js';

const tokenizer = tokenizerOf('o200k_base');
const pinned = readFileSync(join(import.meta.dirname, '../fixtures/views.txt'), 'utf8');

/** Typical payloads of agents; `at` makes each different. */
const payloads: readonly ((at: number) => JsonValue)[] = [
  (at) =>
    `## Result\n\nThe parser of part ${at} reads ${at * 7} rows. ${'It skips blank lines. '.repeat(at % 40)}\n\n- [ ] check src/part-${at}.ts\n- [x] 12 of 12 tests passed`,
  (at) => ({
    command: 'npm test',
    exitCode: at % 3,
    stdout: `ok ${at}\n`.repeat(at % 60),
    stderr: at % 3 ? `Error: E${at} in lib/a${at}.js:${at}` : '',
  }),
  (at) => ({
    role: 'assistant',
    content: `Let me look at file-${at}.md.`,
    tool_calls: [
      {
        id: `c${at}`,
        function: { name: 'read', arguments: JSON.stringify({ path: `docs/file-${at}.md` }) },
      },
    ],
  }),
  (at) => ({
    verdict: at % 2 ? 'APPROVED' : 'REJECTED',
    findings: Array.from({ length: at % 9 }, (_, n) => ({
      severity: 'high',
      file: `src/f${n}.ts`,
      detail: `row ${n} of ${at} is read twice`,
    })),
  }),
  (at) =>
    `diff --git a/x${at}.ts b/x${at}.ts\n--- a/x${at}.ts\n+++ b/x${at}.ts\n@@ -1,2 +1,2 @@\n-const a = ${at};\n+const a = ${at + 1};`,
  (at) => [['name', 'value'], ...Array.from({ length: at % 30 }, (_, n) => [`n${n}`, n * at])],
];

function outputs(count: number): Item[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: 'step-output',
    key: `s${at}`,
    fromVersion: at + 2,
    state: { agentId: ['architect', 'developer', 'tester'][at % 3] ?? '' },
    body: { stepId: `s${at}`, output: payloads[at % payloads.length]?.(at) ?? null },
  }));
}

/** Every type of event once, folded in the order of the fixtures. */
function everyEvent(): readonly Item[] {
  const fixtures = join(import.meta.dirname, '../../shared-context/fixtures');
  const lines = ['events-v1.jsonl', 'events-v2.jsonl'].flatMap((file) =>
    readFileSync(join(fixtures, file), 'utf8').trim().split('\n'),
  );
  const state = lines.reduce((before, line, at) => {
    const event = contextRegistry.decode(JSON.parse(line));
    const place = {
      eventId: `e${at}`,
      stream: 'context-w:c',
      version: at + 1,
      position: `${at + 1}` as never,
      data: line,
    };
    return before.apply(recordedEvent(event, place, envelope));
  }, ContextState.from([]));
  return [...state.values()];
}

const envelope: Envelope = {
  envelope: 1,
  schemaVersion: 1,
  recordedAt: '2026-01-01T00:00:00.000Z',
  principal: 'ada',
  origin: null,
  correlationId: null,
  causationId: null,
  basedOn: null,
  trust: 'agent',
  visibility: 'record',
  encrypted: null,
  idempotency: null,
  hash: '',
  previousHash: null,
};

const contexts: readonly (readonly [string, readonly Item[]])[] = [
  ['every event', everyEvent()],
  ['20 outputs', outputs(20)],
  ['400 outputs', outputs(400)],
];

function lineOf(name: string, text: string): string {
  return `${name} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

function lines(): string[] {
  const views = contexts.flatMap(([name, items]) =>
    [1_000, 2_000, 8_000].map((maxTokens) => {
      const source = viewSource({ contextId: 'c', items });
      const view = renderView(source, undefined, {
        maxTokens,
        tokenizer,
        newest: 3,
        overflow: 'refuse',
      });
      return lineOf(`view of ${name} within ${maxTokens}`, JSON.stringify(view));
    }),
  );
  const digests = payloads.flatMap((payload, at) =>
    [120, 600].map((room) =>
      lineOf(`digest of payload ${at} in ${room}`, digestOf(payload(29), room)),
    ),
  );
  return [`renderer ${rendererVersions.view}`, ...views, ...digests];
}

describe('the bytes of views and digests', () => {
  it('change only with the version of the renderer: fixtures/views.txt', () => {
    expect(lines().join('\n')).toBe(pinned.trimEnd());
  });
});
