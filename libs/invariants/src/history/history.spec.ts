import { HistoryFormatError, parseHistory } from './history.js';

const run = '{"kind":"run","history":1,"scenario":"R-01","seed":7}';

describe('parseHistory', () => {
  it('parses a history line by line', async () => {
    const history = await parseHistory([
      run,
      '{"kind":"append","client":"c","stream":"s","inv":1,"ret":null,"count":1,"outcome":"unknown"}',
      '',
      '{"kind":"end","at":5,"figures":{"appends":1}}',
    ]);
    expect(history).toMatchObject({ run: { seed: 7 }, appends: [{ ret: null }], ended: true });
  });

  it('reports a truncated history as not ended', async () => {
    expect((await parseHistory([run])).ended).toBe(false);
  });

  it.each([
    ['no run', [], /line 1/],
    ['another format', [run.replace('"history":1', '"history":2')], /line 1: history/],
    ['a line that is not JSON', [run, '{'], /line 2: is not JSON/],
    ['an unknown kind of line', [run, '{"kind":"other"}'], /line 2: kind must be one of "run", /],
  ])('refuses a history with %s, and names the line', async (_what, lines, message) => {
    const refused = parseHistory(lines);
    await expect(refused).rejects.toThrow(HistoryFormatError);
    await expect(refused).rejects.toThrow(message);
  });
});
