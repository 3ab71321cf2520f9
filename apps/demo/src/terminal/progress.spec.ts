import { Progress } from './progress.js';

function recorded(watching: boolean) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const show = watching ? add : undefined;
  return { lines, terminal: { write: add, warn: add, show, clear: () => undefined } };
}

describe('Progress', () => {
  it('writes ten plain lines without a terminal', () => {
    const { lines, terminal } = recorded(false);
    const progress = new Progress(terminal, 2000, 'events', () => '3 conflicts');
    for (let done = 0; done < 2000; done += 1) progress.advance();
    expect(lines).toHaveLength(10);
    expect(lines.at(0)).toBe('  200 of 2,000 events, 3 conflicts');
    expect(lines.at(-1)).toBe('  2,000 of 2,000 events, 3 conflicts');
  });

  it('draws a bar on a terminal, which is full at the end', () => {
    const { lines, terminal } = recorded(true);
    const progress = new Progress(terminal, 2, 'events');
    progress.advance();
    progress.advance();
    expect(lines.at(0)).toMatch(/^\[#{15}\.{15}\] 1 of 2 events$/);
    expect(lines.at(-1)).toMatch(/^\[#{30}\] 2 of 2 events$/);
  });
});
