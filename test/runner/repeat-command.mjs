/** The variables that suites read from the environment, in addition to the seed. */
const relevant = [
  'FUZZ_RUNS',
  'THROUGHLINE_DATA',
  'THROUGHLINE_DATA_SIZE',
  'THROUGHLINE_RELIABILITY',
  'THROUGHLINE_RELIABILITY_SEED',
  'THROUGHLINE_TEST_SIZE',
];
/** Such a URL may contain a password, so that the command refers to the variable. */
const secret = ['EVENTSTORE_URL'];

/** The variables in the command line that repeats a test. */
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
