import { selectSuites, suitesOfFolders } from '../runner/selection.mjs';
import { longRows, rows } from '../runner/stages.mjs';
import { listProjectFiles } from './project-files.js';

const sources = new Map(
  Object.entries({
    'libs/kernel/src/index.ts': `export { add, type Sum } from './add.js';\nexport { close } from './close.js';`,
    'libs/kernel/src/add.ts': `import { one } from './one.js';`,
    'libs/kernel/src/one.ts': ``,
    'libs/kernel/src/close.ts': ``,
    'libs/kernel/src/add.spec.ts': `import { add } from './add.js';`,
    'libs/store/src/index.ts': `export { Store } from './store.js';\nexport { open } from './open.js';`,
    'libs/store/src/store.ts': `import {\n  type Sum,\n  add,\n} from '#kernel';`,
    'libs/store/src/open.ts': `import { type Sum } from '#kernel';\nconst path = new URL('./opened.js', import.meta.url);`,
    'libs/store/src/opened.ts': ``,
    'libs/store/src/store.int-spec.ts': `import { Store } from './store.js';`,
    'libs/store/src/open.int-spec.ts': `const { open } = await import('./open.js');`,
    'libs/receipts/src/receipts/sign.ts': `import { Store } from '#store';`,
    'libs/receipts/src/sign.int-spec.ts': `import { sign } from './receipts/sign.js';`,
    'libs/receipts/src/page.spec.ts': `readFileSync(join(root, 'docs', 'receipts.md'));`,
    'test/e2e/server.ts': `import { port } from './port.js';`,
    'test/e2e/port.ts': ``,
    'test/e2e/views.e2e-spec.ts': ``,
    'test/e2e/tasks.e2e-spec.ts': `import { start } from './server.js';`,
    'test/e2e/receipts.e2e-spec.ts': ``,
    'test/e2e/receipts-elsewhere.e2e-spec.ts': ``,
    'test/reliability/killed.reliability-spec.ts': `import { run } from './harness/run.js';`,
    'test/reliability/harness/run.ts': ``,
    'test/architecture/sources.arch-spec.ts': ``,
  }),
);

const sourcesSpec = 'test/architecture/sources.arch-spec.ts';
const smoke = ['test/e2e/views.e2e-spec.ts'];

describe('npm test -- --changed', () => {
  it('runs a changed spec, and always the suite that checks all files', () => {
    const path = 'test/reliability/killed.reliability-spec.ts';
    expect(select(path)).toEqual({ architecture: [sourcesSpec], reliability: [path] });
  });

  it('runs unit suites that import a changed source, and the smoke set', () => {
    expect(select('libs/kernel/src/one.ts')).toMatchObject({
      unit: ['libs/kernel/src/add.spec.ts'],
      e2e: smoke,
    });
  });

  it('follows value imports from libraries by name, but no type imports', () => {
    expect(select('libs/kernel/src/add.ts')).toMatchObject({
      integration: ['libs/store/src/store.int-spec.ts'],
    });
    expect(select('libs/kernel/src/close.ts')).toEqual({ architecture: [sourcesSpec], e2e: smoke });
  });

  it('follows dynamic imports and files that are named by their URL', () => {
    expect(select('libs/store/src/opened.ts')).toMatchObject({
      integration: ['libs/store/src/open.int-spec.ts'],
    });
  });

  it('runs integration suites of other libraries at most two imports away', () => {
    expect(select('libs/store/src/store.ts')).toMatchObject({
      integration: ['libs/store/src/store.int-spec.ts', 'libs/receipts/src/sign.int-spec.ts'],
    });
    expect(select('libs/kernel/src/one.ts')['integration']).toBeUndefined();
  });

  it('runs suites of e2e with the name of the folder of a changed source', () => {
    expect(select('libs/receipts/src/receipts/sign.ts')['e2e']).toEqual([
      'test/e2e/views.e2e-spec.ts',
      'test/e2e/receipts.e2e-spec.ts',
      'test/e2e/receipts-elsewhere.e2e-spec.ts',
    ]);
  });

  it('runs suites whose harness changed', () => {
    expect(select('test/e2e/port.ts')['e2e']).toEqual(['test/e2e/tasks.e2e-spec.ts']);
  });

  it('runs suites that name a changed document', () => {
    expect(select('docs/receipts.md')).toEqual({
      architecture: [sourcesSpec],
      unit: ['libs/receipts/src/page.spec.ts'],
    });
  });

  it('runs all integration suites and the smoke set after a migration', () => {
    const { integration, unit, e2e } = select('migrations/20260101T0000_first.ts');
    expect(integration).toHaveLength(3);
    expect(unit).toBeUndefined();
    expect(e2e).toEqual(smoke);
  });

  it('also runs all unit suites if packages changed', () => {
    const { integration, unit, e2e } = select('package-lock.json');
    expect([integration?.length, unit?.length, e2e]).toEqual([3, 2, smoke]);
  });

  it('counts the suites of a project, including those that do not run', () => {
    const [unit] = selectSuites([], sources);
    expect(unit).toEqual({ project: 'unit', suites: [], count: 2 });
  });
});

/** The selected suites of each project that has any. */
function select(...changed: string[]): Record<string, string[]> {
  const selected = selectSuites(changed, sources).filter(({ suites }) => suites.length > 0);
  return Object.fromEntries(selected.map(({ project, suites }) => [project, suites]));
}

describe('the names of suites and folders in the runner', () => {
  const paths = listProjectFiles();

  it('are those of existing suites', () => {
    const suites = [...rows, ...longRows].flat().flatMap(({ suites: named = [] }) => named);
    const missing = suites.filter((suite) => !paths.some((path) => path.includes(suite)));
    expect(suites.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(suitesOfFolders))(
    'lead from the folder %s to suites',
    (folder, suites) => {
      expect(paths.some((path) => path.includes(`/${folder}/`))).toBe(true);
      const missing = suites.filter(
        (suite) => !paths.some((path) => path.startsWith(`test/e2e/${suite}`)),
      );
      expect(missing).toEqual([]);
    },
  );
});
