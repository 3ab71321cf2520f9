import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { sourceDocuments } from './source-document.item.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const story = { format: 'story-markdown', name: 'docs/1.2.md', sha256, part: 1, parts: 1 };
const first = {
  ...story,
  parts: 2,
  pieces: [{ text: '# Story\n', items: ['global:story'], agreedAt: 1 }, { text: '<!-- long' }],
};
const second = {
  ...story,
  part: 2,
  parts: 2,
  pieces: [{ text: ' remark -->\n', continues: true as const }],
  removed: ['task:7'],
};

describe('an imported document', () => {
  it('is stored once if it is imported repeatedly', () => {
    given(created).when({ type: 'ImportSource', data: first }).then(did('SourceImported', first));
    given(created, did('SourceImported', first))
      .when({ type: 'ImportSource', data: first })
      .thenNothing();
  });

  it('is read from its parts, with divided pieces joined', () => {
    const stored = contextAfter(
      created,
      did('SourceImported', first),
      did('SourceImported', second),
    );
    expect(sourceDocuments([...stored.values()])).toEqual([
      {
        format: 'story-markdown',
        name: 'docs/1.2.md',
        sha256,
        parts: 2,
        version: 3,
        pieces: [
          { text: '# Story\n', items: ['global:story'], agreedAt: 1 },
          { text: '<!-- long remark -->\n', items: [] },
        ],
        removed: ['task:7'],
      },
    ]);
  });

  it('has the content of its newest revision, even if that has fewer parts', () => {
    const other = {
      ...story,
      sha256: sha256.replace('9', '8'),
      pieces: [{ text: 'new' }],
      replaces: { sha256, parts: 2 },
    };
    const revised = contextAfter(
      created,
      did('SourceImported', first),
      did('SourceImported', second),
      did('SourceImported', other),
    );
    expect(sourceDocuments([...revised.values()])).toMatchObject([
      { sha256: other.sha256, pieces: [{ text: 'new', items: [] }] },
    ]);
    expect([...revised.values()].filter(({ kind }) => kind === 'source')).toHaveLength(1);
  });

  it('has the content of the previous revision while a part of the new one is missing', () => {
    const begun = { ...first, sha256: sha256.replace('9', '8') };
    const stored = contextAfter(
      created,
      did('SourceImported', first),
      did('SourceImported', second),
      did('SourceImported', begun),
    );
    expect(sourceDocuments([...stored.values()])).toMatchObject([{ sha256, removed: ['task:7'] }]);
  });

  it('agrees with the context at the versions of its parts if other events were written between them', () => {
    const stored = contextAfter(
      created,
      did('SourceImported', first),
      did('StepStarted', { stepId: 's' }),
      did('SourceImported', second),
    );
    const [document] = sourceDocuments([...stored.values()]);
    expect(document).toMatchObject({ version: 4, pieces: [{ agreedAt: 1 }, { agreedAt: 2 }] });
  });

  it('does not exist while a part of its first revision is missing', () => {
    expect(
      sourceDocuments([...contextAfter(created, did('SourceImported', first)).values()]),
    ).toEqual([]);
  });
});
