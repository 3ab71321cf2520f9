import { isBuilt } from './changed-rows.mjs';
import { runNode } from './child-processes.mjs';
import { printLines } from './print.mjs';
import { rows as allRows } from './stages.mjs';

const isBuildStage = ({ name }) => name === 'build';

/**
 * Builds the programs that the suites of these rows start, unless a stage does: suites use the existing build, and
 * would test earlier sources otherwise.
 */
export async function buildUnlessStaged(rows) {
  const stages = rows.flat();
  if (stages.some(isBuildStage) || !allRows.flat().some(isBuildStage)) return;
  if (!stages.some(({ project }) => project && isBuilt(project))) return;
  const { code, output } = await runNode(['apps/cli/bin/throughline.mjs', 'build']);
  if (code === 0) return;
  printLines([output.trimEnd()]);
  process.exit(1);
}
