import { sections, tokenizerNames } from '#context-views';
import { type JsonObject } from '#event-sourcing';

import { parseViewParameters } from './view-parameters.js';
import { type ViewParameters } from './view.messages.js';

const plain: ViewParameters = {
  maxTokens: 8000,
  tokenizer: 'o200k_base',
  wholeOutputs: 3,
  overflow: 'refuse',
  sections: null,
  focus: null,
};

describe('parameters of a view in a receipt', () => {
  it('are parsed to the original parameters of any request', () => {
    const requests: readonly (ViewParameters & { transformationVersions?: number })[] = [
      plain,
      ...tokenizerNames.map((tokenizer) => ({ ...plain, tokenizer })),
      { ...plain, wholeOutputs: 0, overflow: 'minimum', sections: [...sections] },
      { ...plain, transformationVersions: 3 },
      { ...plain, focus: { on: 'handover', agent: null, since: null } },
      { ...plain, focus: { on: 'handover', agent: 'dev', since: 0 } },
      { ...plain, focus: { on: 'rework', subject: 'design.md' } },
      { ...plain, focus: { on: 'retrospective', children: [['a', 1]] } },
      { ...plain, focus: { on: 'retrospective', children: [] } },
      { ...plain, focus: { on: 'retrospective', children: '2026-01-01T00:00:00.000Z' } },
    ];
    for (const parameters of requests)
      expect(parseViewParameters(JSON.parse(JSON.stringify(parameters)))).toEqual(parameters);
  });

  it('may lack the children of a retrospective', () => {
    const focus = { on: 'retrospective' };
    expect(parseViewParameters({ ...plain, focus })?.focus).toEqual({ ...focus, children: null });
  });

  it('are undefined if they contain anything unknown', () => {
    const others: readonly (JsonObject | null)[] = [
      null,
      {},
      { ...plain, maxTokens: '8000' },
      { ...plain, maxTokens: 0 },
      { ...plain, tokenizer: 'p50k_base' },
      { ...plain, overflow: 'cut' },
      { ...plain, sections: ['rumours'] },
      { ...plain, mood: 'curt' },
      { ...plain, transformationVersions: -1 },
      { ...plain, focus: { on: 'audit' } },
      { ...plain, focus: { on: 'rework', subject: 'a', deep: true } },
      { ...plain, focus: { on: 'handover', agent: 'a', since: -1 } },
      { ...plain, focus: { on: 'retrospective', children: [['a', 0]] } },
      { ...plain, focus: { on: 'retrospective', children: [['a']] } },
    ];
    for (const parameters of others) expect(parseViewParameters(parameters)).toBeUndefined();
  });
});
