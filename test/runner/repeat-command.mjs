/** What suites read of the environment, beside the seed. */
const relevant = [
  'FUZZ_RUNS',
  'THROUGHLINE_DATA',
  'THROUGHLINE_DATA_SIZE',
  'THROUGHLINE_RELIABILITY',
  'THROUGHLINE_RELIABILITY_SEED',
];
/** Such an address may hold a password, so the command refers to the variable. */
const secret = ['EVENTSTORE_URL'];

/** What the command line that repeats a test states of the environment. */
export const statedVariables = [...relevant, ...secret];

/** The command line that repeats a stage, suites of it, or one test. Stages of programs have no seed. */
export function describeRepeat({ stage, seed, paths = [], title }, env = process.env) {
  const variables = [
    ...relevant.filter((name) => env[name]).map((name) => `${name}=${quote(env[name])}`),
    ...secret.filter((name) => env[name]).map((name) => `${name}="$${name}"`),
  ];
  const seeded = seed === undefined ? [] : [`--seed ${seed}`];
  const test = title === undefined ? [] : [`-t ${quote(`^${escapePattern(title)}$`)}`];
  return [...variables, 'npm test --', stage, ...paths.map(quote), ...seeded, ...test].join(' ');
}

function escapePattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** For a POSIX shell. */
function quote(word) {
  return /^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
