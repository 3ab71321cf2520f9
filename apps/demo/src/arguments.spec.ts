import { readArguments } from './arguments.js';

const lines: string[] = [];
const terminal = {
  write: (line: string) => void lines.push(line),
  warn: (line: string) => void lines.push(line),
  show: undefined,
  clear: () => undefined,
};
const read = (argv: readonly string[], env = {}) => readArguments(argv, env, terminal);

describe('readArguments', () => {
  beforeEach(() => lines.splice(0));

  it('plays the feature without options', () => {
    expect(read([])).toEqual({ demo: 'feature' });
  });

  it('finds the data next to the project or in THROUGHLINE_DATA', () => {
    expect(read(['--work-events'])).toEqual({
      demo: 'work-events',
      path: '../shared/data/work-events/events.jsonl',
      limit: undefined,
    });
    expect(read(['--agent-trail'], { THROUGHLINE_DATA: '/data' })).toEqual({
      demo: 'agent-trail',
      path: '/data/handoffs/agent-trail.jsonl',
    });
  });

  it('accepts a file and a limit', () => {
    expect(read(['--work-events', 'log.jsonl', '--limit', '10'])).toEqual({
      demo: 'work-events',
      path: 'log.jsonl',
      limit: 10,
    });
  });

  it('writes the trails of a day to a file', () => {
    expect(
      read(['--agent-trail', 't.jsonl', '--write', 'day.jsonl', '--day', '2026-04-07']),
    ).toEqual({ demo: 'history', path: 't.jsonl', day: '2026-04-07', file: 'day.jsonl' });
  });

  it('keeps a workspace in a directory of the current one, or in the one that is named', () => {
    expect(read(['--keep'])).toEqual({ demo: 'keep', directory: '.throughline-demo', port: 0 });
    expect(read(['--keep', 'shop', '--port', '4000'])).toEqual({
      demo: 'keep',
      directory: 'shop',
      port: 4000,
    });
  });

  it.each([
    [['--keep', '--work-events'], 'choose one of'],
    [['--port', '4000'], '--port requires --keep'],
    [['--keep', '--port', '65536'], 'must be 0 to 65535'],
    [['--write', 'x'], '--write requires --agent-trail'],
    [['--agent-trail', '--day', '2026-04-07'], '--day requires --write'],
    [['--work-events', '--limit', '0'], 'must be 1 or more'],
    [['--limit', '5'], '--limit requires --work-events'],
    [['--work-events', '--agent-trail'], 'choose one of'],
    [['--sideways'], "unknown option '--sideways'"],
  ])('refuses %j', (argv, sentence) => {
    expect(() => read(argv)).toThrow(sentence);
    expect(lines.join('\n')).toContain(sentence);
  });
});
