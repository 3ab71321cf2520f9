import { type JsonObject, type JsonValue } from '#event-sourcing';

import { digestOf } from './digest.js';
import { factsOf } from './facts.js';
import { lineOf } from './line.js';

const linesOf = (value: JsonValue) => digestOf(value, 2_000).split('\n');

/** Values as frameworks record them, with the first lines of their digests. */
const shapes: readonly (readonly [name: string, value: JsonValue, lines: readonly string[]])[] = [
  [
    'a message of OpenAI with calls of tools',
    {
      role: 'assistant',
      content: 'Let me look the order up. Then we see.',
      tool_calls: [
        {
          id: 'call_04',
          type: 'function',
          function: { name: 'get_order', arguments: '{"order_id":"W7","user":null}' },
        },
      ],
    },
    ['Let me look the order up.', 'Then we see.', 'called: get_order order_id: W7'],
  ],
  [
    'a result of a tool of OpenAI',
    { role: 'tool', tool_call_id: 'call_04', name: 'get_order', content: '{"total_price":50.88}' },
    ['result of: get_order', 'total_price: 50.88'],
  ],
  [
    'a message of Anthropic with blocks',
    {
      role: 'assistant',
      model: 'some-model',
      content: [
        { type: 'text', text: 'The tests have to be run before the merge.' },
        { type: 'tool_use', id: 'toolu_04', name: 'bash', input: { command: 'pytest -q' } },
      ],
    },
    ['The tests have to be run before the merge.', 'ran: pytest -q'],
  ],
  [
    'a result of a tool of Anthropic',
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_04',
          is_error: true,
          content: [{ type: 'text', text: 'no such table' }],
        },
      ],
    },
    ['failed', 'no such table'],
  ],
  [
    'an edit by a command of an editor',
    {
      type: 'tool_use',
      id: 'toolu_05',
      name: 'str_replace_editor',
      input: { command: 'str_replace', path: '/src/a.py', old_str: 'x = 1', new_str: 'x = 2' },
    },
    ['edited: /src/a.py', 'old_str: x = 1', 'new_str: x = 2'],
  ],
  [
    'a message of LangChain, as it is stored',
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'schema', 'AIMessage'],
      kwargs: {
        content: '',
        tool_calls: [{ name: 'search', args: { query: 'weather' }, id: 'c1', type: 'tool_call' }],
        additional_kwargs: {},
      },
    },
    ['called: search query: weather'],
  ],
  [
    'an action of LangChain',
    { tool: 'search', tool_input: { query: 'weather' }, log: 'I look it up.' },
    ['called: search query: weather', 'log: I look it up.'],
  ],
  [
    'a turn of an agent',
    {
      action: 'pytest -q\n',
      observation: 'F.\n1 failed, 1 passed\n',
      response: 'Run.',
      state: '{"open_file":"a.py"}',
      thought: 'Now the tests. They should pass.',
    },
    ['Now the tests.', 'They should pass.', 'ran: pytest -q', 'F.', '1 failed, 1 passed'],
  ],
  [
    'an action of OpenHands',
    {
      id: 80,
      timestamp: '2025-04-30T17:59:06',
      source: 'agent',
      message: 'Running',
      action: 'run',
      tool_call_metadata: { tool_call_id: 'toolu_38', model_response: { model: 'some/model' } },
      args: { command: 'make -n build', thought: 'Print what make would do now.', hidden: false },
    },
    ['Print what make would do now.', 'ran: make -n build'],
  ],
  [
    'an observation of OpenHands',
    {
      id: 81,
      cause: 80,
      observation: 'run',
      success: false,
      content: 'make: *** No rule to make target',
      extras: { command: 'make -n build', metadata: { exit_code: 2, pid: -1 } },
    },
    ['result of: make -n build', 'exit_code: 2', 'make: *** No rule to make target'],
  ],
  [
    'the result of a command',
    { cmd: 'ls /x', returncode: 2, stdout: '', stderr: 'ls: cannot access' },
    ['ran: ls /x', 'returncode: 2', 'stderr: ls: cannot access'],
  ],
  [
    'an exchange over HTTP',
    {
      request: { method: 'POST', url: 'https://a.b/c', body: { n: 1 } },
      response: { status: 503, body: 'try later' },
    },
    ['POST https://a.b/c', 'status: 503', 'body: n: 1', 'body: try later'],
  ],
  [
    'a decision',
    { question: 'Which queue?', chosen: 'One of our own', alternatives: ['a', 'b'] },
    ['chosen: One of our own', 'question: Which queue?', 'alternatives: a, b'],
  ],
  [
    'a note',
    { ts: 5, type: 'finding', content: 'The port is taken.' },
    ['finding: The port is taken.'],
  ],
];

describe('a tool call with a path', () => {
  const called = (name: string, args: JsonObject) =>
    linesOf({ type: 'tool_use', id: 'toolu_06', name, input: args })[0];

  it.each([
    'read',
    'Read',
    'cat',
    'open',
    'view',
    'read_file',
    'readFile',
    'get_file_contents',
    'view_file',
    'open_file',
    'read_lines',
    'ReadFile',
    'show_file',
  ])('is shown as reading a file if the tool is named %s', (name) => {
    expect(called(name, { path: '/src/a.py', limit: 20 })).toBe('read: /src/a.py');
  });

  it.each([
    'edit',
    'Edit',
    'write',
    'write_file',
    'create',
    'create_file',
    'append_to_file',
    'str_replace',
    'str_replace_editor',
    'apply_patch',
    'MultiEdit',
    'replace_in_file',
    'write_to_file',
    'update_file',
    'insert',
    'edit_file',
    'undo_edit',
    'search_replace',
  ])('is shown as editing a file if the tool is named %s', (name) => {
    expect(called(name, { path: '/src/a.py', content: 'x = 2' })).toBe('edited: /src/a.py');
  });

  it('is shown as editing a file if it has an old and a new text', () => {
    const args = { file_path: '/src/a.py', old_string: 'x = 1', new_string: 'x = 2' };
    expect(called('file_tool', args)).toBe('edited: /src/a.py');
  });

  it.each([
    'http_post',
    'grep',
    'category_search',
    'get',
    'show_weather',
    'get_user',
    'create_order',
    'opening_hours',
    'viewer',
    'patch',
    'update_user',
    'apply_discount',
    'create_directory',
    'insert_coin',
    'editorial_review',
    'write_off',
    'reading_list',
    'profile',
    'check_file',
  ])('is shown as any other call if the tool is named %s', (name) => {
    const args = { path: '/a/b', content: 'x', diff: 'y' };
    expect(called(name, args)).toBe(`called: ${name} path: /a/b, content: x, diff: y`);
  });
});

describe('a value of a known shape', () => {
  it.each(shapes)('begins with its most important part: %s', (_, value, lines) => {
    expect(linesOf(value).slice(0, lines.length)).toEqual(lines);
  });

  it.each(shapes)('is recognized at any depth: %s', (_, value, lines) => {
    const nested = { output: [{ step: JSON.stringify({ data: value }) }] };
    const texts = linesOf(nested).map((line) => line.replace(/^\w+: /, ''));
    for (const line of lines) expect(texts).toContain(line.replace(/^\w+: /, ''));
  });

  it('has only facts about the work, and actions by the name of their tool or by their command', () => {
    const values = shapes.map(([, value]) => factsOf(value));
    const named = (kind: 'identifiers' | 'actions') => values.flatMap((facts) => facts[kind]);
    expect(named('identifiers')).toEqual(expect.not.arrayContaining(['toolu_04', 'call_04']));
    expect(named('actions')).toEqual([
      'get_order',
      'ran',
      'ran: pytest -q',
      'edited',
      'edited: /src/a.py',
      'search',
      'search',
      'ran',
      'ran: pytest -q',
      'ran',
      'ran: make -n build',
      'ran',
      'ran: ls /x',
      'POST https://a.b/c',
    ]);
  });
});

describe('a text of a known shape', () => {
  const rest = Array.from({ length: 30 }, (_, n) => `Nothing more is said here, part ${n}.\n`).join(
    '',
  );

  it('is a patch, identified by the files that it changes', () => {
    const patch = `diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n # Comment\n- gone\n+ come\n`;
    const digest = digestOf(`${patch}${rest}`, 120);
    expect(digest).toContain('+++ b/x.py');
    expect(factsOf(patch).headings).toEqual([]);
  });

  it('is code, in which comments are not headings', () => {
    const text = '# Title\n\n```python\n# Comment\nprint(1)\n```\n\n## Next\n';
    expect(factsOf(text).headings).toEqual(['# Title', '## Next']);
  });

  it('is a table, whose rows come before the text around it', () => {
    const table = '| file | tests |\n|---|---:|\n| a | 12 passed |\n| b | none at all |\n';
    expect(digestOf(`${rest}${table}${rest}`, 200)).toContain('| b | none at all |');
  });
});

describe('the line of a step', () => {
  const log = 'collected 4 items\n'.repeat(20);

  it('shows the action and its result', () => {
    const observation = `${log}E   ImportError: cannot import name 'x'\n1 error in 0.3s\n`;
    expect(lineOf({ thought: 'Try.', action: 'pytest -q', observation }, 120)).toBe(
      "ran: pytest -q · E ImportError: cannot import name 'x' · 4 items, 0.3s, 1 error",
    );
    expect(lineOf({ command: 'make', exit_code: 2, output: log }, 120)).toBe(
      'ran: make · exit_code: 2 · collected 4 items',
    );
  });

  it('shows the end of a long path', () => {
    const path = `/workspace/${'directory/'.repeat(12)}match.c`;
    const line = lineOf({ name: 'write_file', args: { path, content: log } }, 120);
    expect(line).toMatch(/^edited: ….*directory\/match\.c/);
  });

  it('shows the members of a result with their names', () => {
    const content = JSON.stringify({ origin: 'ATL', price: 1936, notes: log, flights: [] });
    expect(lineOf({ role: 'tool', name: 'get_flight', content }, 120)).toMatch(
      /^result of: get_flight · origin: ATL, price: 1936/,
    );
  });

  it('shows no members that only wrap a message', () => {
    const value = { role: 'system', content: `# Policy\n\n- Be polite.\n${log}` };
    expect(lineOf(value, 60)).toBe('# Policy · - Be polite. · 4 items');
    expect(lineOf({ ...value, content: `- exit code: 0 if all is well\n${log}` }, 60)).toMatch(
      /^- exit code: 0 if all is well/,
    );
    expect(lineOf({ role: 'system', id: 'call_1' }, 60)).toBe('role: system; id: call_1');
  });

  it('shows the title of a document and the decision in it', () => {
    const text = `# Use queues\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use queues.\n\n${log}`;
    expect(lineOf(text, 80)).toBe('# Use queues · We use queues. · Accepted · 4 items');
  });
});
