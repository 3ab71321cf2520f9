import { countKnownRevisions } from './pending-revisions.js';

describe('countKnownRevisions', () => {
  const known = (revisions: string, imported: string) =>
    countKnownRevisions([...revisions], [...imported]);

  it.each([
    ['none was imported', 'abc', '', 0],
    ['some were imported', 'abc', 'ab', 2],
    ['all were imported', 'abc', 'abc', 3],
    ['only the newest was imported, so that older ones would undo it', 'abc', 'c', 3],
    ['a text came back', 'aba', 'aba', 3],
    ['a text came back and the import broke off before', 'aba', 'ab', 2],
    ['texts between were never committed', 'abc', 'axbx', 2],
    ['the history was rewritten', 'xyz', 'ab', 0],
  ])('counts the revisions that need no import if %s', (_, revisions, imported, count) => {
    expect(known(revisions, imported)).toBe(count);
  });
});
