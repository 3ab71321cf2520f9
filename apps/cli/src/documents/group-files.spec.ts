import { type InputFile } from './find-files.js';
import { groupFiles } from './group-files.js';

const file = (path: string, folder?: string): InputFile => ({ path, bytes: 1, folder });

function namesOf(
  files: readonly InputFile[],
  contextOf: 'file' | 'folder' | 'story' | 'all',
  as?: string,
) {
  const { groups, unassigned } = groupFiles(files, { contextOf }, as);
  return { groups: groups.map((group) => group.files.map(({ name }) => name)), unassigned };
}

describe('groupFiles', () => {
  it('assigns each file to its own context, or all files to one context', () => {
    const files = [file('a.json'), file('./b/../b/c.json')];
    expect(namesOf(files, 'file').groups).toEqual([['a.json'], ['b/c.json']]);
    expect(namesOf(files, 'all').groups).toEqual([['a.json', 'b/c.json']]);
  });

  it('names a context after its folder, and names files relative to the folder', () => {
    const files = [
      file('docs/adr/0001.md', 'docs/adr'),
      file('docs/adr/old/0000.md', 'docs/adr'),
      file('other decisions/x.md'),
    ];
    expect(groupFiles(files, { contextOf: 'folder' }, undefined).groups).toMatchObject([
      { as: 'adr', files: [{ name: '0001.md' }, { name: 'old/0000.md' }] },
      { as: 'other-decisions', files: [{ name: 'x.md' }] },
    ]);
  });

  it('groups a gate with the nearest story of its number', () => {
    const files = ['a/1.2.story.md', 'b/1.2.story.md', 'b/gates/1.2-x.yml', 'b/1.3-y.yml'];
    expect(
      namesOf(
        files.map((path) => file(path)),
        'story',
      ),
    ).toEqual({
      groups: [['a/1.2.story.md'], ['b/1.2.story.md', 'b/gates/1.2-x.yml']],
      unassigned: ['b/1.3-y.yml: no story with this number is among the files'],
    });
  });

  it('assigns every gate to the requested context', () => {
    const files = [file('1.2.story.md'), file('gate.yml')];
    expect(namesOf(files, 'story', 'demo').groups).toEqual([['1.2.story.md', 'gate.yml']]);
    expect(namesOf([file('gate.yml')], 'story', 'demo').groups).toEqual([['gate.yml']]);
  });

  it('refuses one requested context for the files of several', () => {
    const files = [file('a.json'), file('b.json')];
    expect(() => namesOf(files, 'file', 'demo')).toThrow('these files become 2');
    expect(groupFiles(files, { contextOf: 'all' }, 'demo').groups).toMatchObject([{ as: 'demo' }]);
  });
});
