// `npm run test:reliability`: the suite at full size, which takes hours; see docs/reliability.md.
//   npm run test:reliability -- R-01 R-06      some scenarios
//   npm run test:reliability -- --smoke        as small as on every commit
//   npm run test:reliability -- R-06 --seed 7  the choices of an earlier run
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, seed: { type: 'string', default: '' } },
  allowPositionals: true,
});

const names = positionals.length > 0 ? [`--testNamePattern=^(${positionals.join('|')})\\b`] : [];
const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...['--selectProjects=reliability', '--runInBand', ...names],
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      THROUGHLINE_RELIABILITY: values.smoke ? 'smoke' : 'full',
      THROUGHLINE_RELIABILITY_SEED: values.seed,
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => (process.exitCode = code ?? 1));
