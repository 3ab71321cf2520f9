const mebibyte = 1_048_576;

/**
 * Permitted requests that are as large or demanding as the limits allow, in addition to the largest one of each route.
 */
export const awkwardCases = [
  writeBack('30,000 step outputs', () => ({ stepOutputs: members(30_000, () => 1) })),
  writeBack('900,000 short values', () => ({ globalContext: members(900_000, () => 1) })),
  writeBack('a million empty lists', () => ({
    globalContext: { a: Array.from({ length: 999_000 }, () => []) },
  })),
  writeBack('16 MiB of text', () => ({ globalContext: { a: 'ä'.repeat(8 * mebibyte - 64) } })),
  writeBack('200,000 places in the metadata', () => ({ metadata: members(200_000, () => 1) })),
  writeBack('2,000 subjects of 1,000 iterations', () => ({
    iterationCounts: members(2_000, () => 1_000),
  })),
  writeBack('900 decisions of a kilobyte', () => ({
    decisionHistory: Array.from({ length: 900 }, (_, n) => ({
      decision: `${n} ${'x '.repeat(400)}`,
    })),
  })),
  {
    name: 'a batch of 500 events',
    send: ({ call }) =>
      call('POST', '/v1/contexts/plain/events', {
        events: Array.from({ length: 500 }, (_, n) => ({
          type: 'StepOutputAdded',
          data: { stepId: `batch-${n}`, output: 'x'.repeat(1_000) },
        })),
      }),
  },
  {
    name: 'values of a mebibyte',
    send: ({ call }) =>
      call('PATCH', '/v1/contexts/plain/global-context', { values: members(60_000, () => 1) }),
  },
  {
    name: 'an import of 16 MiB of line ends',
    send: ({ callText }) =>
      callText(
        '/v1/imports?format=events-jsonl',
        '\n'.repeat(16 * mebibyte - 1),
        'application/x-ndjson',
      ),
  },
  prompt('a template of long paths', () => ({
    template: `{{#each input.l}}${`{{this.${Array.from({ length: 500 }, () => 'a').join('.')}}}`.repeat(240)}{{/each}}`,
    input: { l: Array.from({ length: 800 }, () => 0) },
  })),
  prompt('four times a word of 230,000 letters', () => ({
    template: '{{input.x}} {{input.x}} {{input.x}} {{input.x}}',
    input: { x: word(230_000) },
  })),
  read('a first view of 30 MB of names', '/v1/contexts/names/view'),
  read('the same with another budget', '/v1/contexts/names/view?maxTokens=20000'),
  read('a whole document of 20 MB', '/v1/contexts/large'),
  { ...read('sixteen of them at once', '/v1/contexts/large'), times: 16 },
  read('two members of it', '/v1/contexts/large?parts=currentState,globalContext'),
  read('a difference over all of it', '/v1/contexts/large/diff?from=1'),
  read('all that has changed', '/v1/contexts/large/changes?since=0&limit=1'),
  read('a first view of it', '/v1/contexts/large/view'),
  read('one item of it', '/v1/contexts/large/items/step-output:step-7'),
  read('a consistency check', '/v1/contexts/large/check'),
  read('a first view of 60,000 preferences', '/v1/contexts/members/view'),
  read('a document of them', '/v1/contexts/members'),
  {
    name: 'one more of them',
    send: ({ call }) => call('PATCH', '/v1/contexts/members/preferences', { k60000: 1 }),
  },
  read('a view after it', '/v1/contexts/members/view'),
  read('a search for a phrase', '/v1/contexts?q=%22step%20number%22'),
];

function writeBack(name, document) {
  return {
    name: `PUT of ${name}`,
    send: async ({ call, version }) =>
      call('PUT', '/v1/contexts/plain', document(), 'write', {
        'if-match': `"${await version('plain')}"`,
      }),
  };
}

function prompt(name, body) {
  return {
    name: `a prompt from ${name}`,
    send: ({ call }) => call('POST', '/v1/contexts/plain/prompt', body()),
  };
}

function read(name, path) {
  return { name, send: ({ call }) => call('GET', path) };
}

function members(count, value) {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value(n)]));
}

/** Letters without a pattern, the same in each run. */
export function word(length) {
  let state = 7;
  let text = '';
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += String.fromCharCode(97 + (state % 26));
  }
  return text;
}
