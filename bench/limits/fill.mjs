import { word } from './cases.mjs';

/**
 * The contexts of the cases: a small one, one with 30 outputs of a mebibyte of file names, one with 20,000 outputs of a
 * kilobyte, and one with 60,000 preferences.
 */
export async function fill({ call }) {
  const post = async (path, body) => {
    const { status } = await call('POST', path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status}`);
  };
  for (const contextId of ['plain', 'small', 'names', 'large', 'members'])
    await post('/v1/contexts', { contextId });
  await post('/v1/contexts/small/step-outputs', { stepId: 's', output: 1 });
  for (let n = 0; n < 30; n++)
    await post('/v1/contexts/names/step-outputs', {
      stepId: `step-${n}`,
      output: Array.from(
        { length: 30_000 },
        (_, file) => `src/${word(12)}${n}/file-${file}.ts`,
      ).join('\n'),
    });
  for (let from = 0; from < 20_000; from += 500)
    await post('/v1/contexts/large/events', {
      events: Array.from({ length: 500 }, (_, n) => ({
        type: 'StepOutputAdded',
        data: {
          stepId: `step-${from + n}`,
          output: { text: `step number ${from + n} ${'came to this. '.repeat(70)}` },
        },
      })),
    });
  for (let from = 0; from < 60_000; from += 10_000)
    await call('PATCH', '/v1/contexts/members/preferences', membersFrom(from, 10_000));
}

function membersFrom(from, count) {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, n]));
}
