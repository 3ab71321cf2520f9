import { type FoundFile } from './find-files.js';
import { groupFiles } from './group-files.js';

const found = (path: string, folder?: string): FoundFile => ({ path, bytes: 1, folder });

function namesOf(
  files: readonly FoundFile[],
  contextOf: 'file' | 'folder' | 'story' | 'all',
  as?: string,
) {
  const { groups, leftOut } = groupFiles(files, { contextOf }, as);
  return { groups: groups.map((group) => group.files.map(({ name }) => name)), leftOut };
}

describe('groupFiles', () => {
  it('gives each file a context, or all files one', () => {
    const files = [found('a.json'), found('./b/../b/c.json')];
    expect(namesOf(files, 'file').groups).toEqual([['a.json'], ['b/c.json']]);
    expect(namesOf(files, 'all').groups).toEqual([['a.json', 'b/c.json']]);
  });

  it('gives a folder a context of its name, in which names are relative to it', () => {
    const files = [
      found('docs/adr/0001.md', 'docs/adr'),
      found('docs/adr/old/0000.md', 'docs/adr'),
      found('other decisions/x.md'),
    ];
    expect(groupFiles(files, { contextOf: 'folder' }, undefined).groups).toMatchObject([
      { as: 'adr', files: [{ name: '0001.md' }, { name: 'old/0000.md' }] },
      { as: 'other-decisions', files: [{ name: 'x.md' }] },
    ]);
  });

  it('puts the gates of a story with it, those of the nearest story of the number', () => {
    const files = ['a/1.2.story.md', 'b/1.2.story.md', 'b/gates/1.2-x.yml', 'b/1.3-y.yml'];
    expect(
      namesOf(
        files.map((path) => found(path)),
        'story',
      ),
    ).toEqual({
      groups: [['a/1.2.story.md'], ['b/1.2.story.md', 'b/gates/1.2-x.yml']],
      leftOut: ['b/1.3-y.yml: no story of this number is among the files'],
    });
  });

  it('takes every gate for the one context that is named', () => {
    const files = [found('1.2.story.md'), found('gate.yml')];
    expect(namesOf(files, 'story', 'demo').groups).toEqual([['1.2.story.md', 'gate.yml']]);
    expect(namesOf([found('gate.yml')], 'story', 'demo').groups).toEqual([['gate.yml']]);
  });

  it('names one context only of files that are one', () => {
    const files = [found('a.json'), found('b.json')];
    expect(() => namesOf(files, 'file', 'demo')).toThrow('these files become 2');
    expect(groupFiles(files, { contextOf: 'all' }, 'demo').groups).toMatchObject([{ as: 'demo' }]);
  });
});
