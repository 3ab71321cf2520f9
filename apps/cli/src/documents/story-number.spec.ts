import { storyNumber } from './story-number.js';

describe('storyNumber', () => {
  it.each([
    ['docs/stories/1.2.story.md', '1.2'],
    ['docs/stories/17.7.add-a-toggle.story.md', '17.7'],
    ['1-2-add-a-toggle.md', '1.2'],
    ['docs/qa/gates/1.2-gate.yml', '1.2'],
    ['epic-1/1.2.md', '1.2'],
    ['story-1.2.md', '1.2'],
    ['1.2.3.story.md', '1.2.3'],
    ['01.02.md', '1.2'],
    ['1.4a.split.story.md', '1.4a'],
    ['1-2-a-toggle.md', '1.2'],
  ])('reads from %s the number %s', (path, number) => {
    expect(storyNumber(path)).toBe(number);
  });

  it.each(['README.md', 'epic-1/notes.md', '1-2fa.md', '2.md', '1.2'.padEnd(20, '0')])(
    'finds no number in %s',
    (path) => {
      expect(storyNumber(path)).toBeUndefined();
    },
  );
});
