import { selectSuites } from './selection.mjs';

const isSource = (path) => path.endsWith('.ts');
const configuresTypes = /^(package(-lock)?\.json|tsconfig.*\.json)$/;
const configuresImports = /^(package\.json|tsconfig.*\.json|\.dependency-cruiser\.cjs)$/;

/**
 * The part of the rows that a change affects, and a description of the rest. The linters always run, other programs
 * that check the whole project run after any change of a source, and selectSuites selects the suites. Stages on other
 * stores do not run.
 */
export function selectRows(rows, changed, sources) {
  const selected = selectSuites(changed, sources);
  const needsBuild = selected.some(({ project, suites }) => isBuilt(project) && suites.length > 0);
  const select = {
    types: (stage) => stageIf(stage, changed, configuresTypes),
    imports: (stage) => stageIf(stage, changed, configuresImports),
    build: (stage) => (needsBuild ? stage : undefined),
  };
  const narrow = (stage) =>
    stage.commands ? (select[stage.name] ?? same)(stage) : narrowSuites(stage, selected);
  return {
    rows: rows.map((row) => row.map(narrow).filter(Boolean)).filter((row) => row.length > 0),
    notRun: rows.flat().flatMap((stage) => describeRest(stage, narrow(stage), selected)),
  };
}

function same(stage) {
  return stage;
}

/** Whether the suites run programs of the build, or use a cluster that it prepares. */
export function isBuilt(project) {
  return !['unit', 'architecture'].includes(project);
}

function stageIf(stage, changed, configures) {
  return changed.some((path) => isSource(path) || configures.test(path)) ? stage : undefined;
}

/** The suites of a project; those on other stores do not run. */
function narrowSuites(stage, selected) {
  const suites = suitesOf(stage, selected);
  return suites.length > 0 ? { ...stage, suites } : undefined;
}

function suitesOf({ name, project }, selected) {
  return name === project ? selected.find((each) => each.project === project).suites : [];
}

function describeRest(stage, narrowed, selected) {
  const { name, project, commands, suites } = stage;
  if (commands) return narrowed ? [] : [name];
  const narrow = suitesOf(stage, selected);
  const count = suites?.length ?? selected.find((each) => each.project === project).count;
  const left = count - narrow.filter((path) => !suites || suites.includes(path)).length;
  if (left === 0) return [];
  return [left === count ? `${name} (${count} suites)` : `${left} of ${count} ${name} suites`];
}
