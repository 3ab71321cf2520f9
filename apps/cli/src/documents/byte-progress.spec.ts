import { ByteProgress } from './byte-progress.js';

describe('ByteProgress', () => {
  it('shows the processed and the total megabytes', () => {
    const shown: string[] = [];
    const watched = { show: (line: string) => void shown.push(line), clear: () => undefined };
    const progress = new ByteProgress(watched, 'checking', 4_000_000);
    progress.add(1_000_000);
    progress.add(3_000_000);
    expect(shown).toEqual([
      '[########......................] checking, 1.0 of 4.0 MB',
      '[##############################] checking, 4.0 of 4.0 MB',
    ]);
  });

  it('shows nothing without a terminal, and handles a total of zero', () => {
    new ByteProgress(undefined, 'checking', 0).add(0);
    const shown: string[] = [];
    const watched = { show: (line: string) => void shown.push(line), clear: () => undefined };
    new ByteProgress(watched, 'checking', 0).add(0);
    expect(shown).toEqual(['[##############################] checking, 0.0 of 0.0 MB']);
  });
});
