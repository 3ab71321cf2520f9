import { compileExpression } from './expression.js';
import { pathsIn } from './paths-in.js';

const pathsOf = (source: string, lines = false) =>
  pathsIn(compileExpression(source, { declared: ['parallel-tests'], lines }).tree).map(
    ({ names, at, allowsAbsence }) => `${names.join('/')} ${at}${allowsAbsence ? ' ?' : ''}`,
  );

describe('the paths in an expression', () => {
  it.each([
    ['1 + 2', []],
    ['context.plan.files', ['context/plan/files 0']],
    ['context["plan"]?.files[0].name', ['context/plan/files 0']],
    ['context.parallel-tests.success === true', ['context/parallel-tests/success 0']],
    ['context[input.which].name', ['context 0', 'input/which 8']],
    ['"a" + input.b * input.c', ['input/b 6', 'input/c 16']],
    ['{ a: input.b }.a', ['input/b 5']],
    ['filter(context.list, item.id === input.id)', ['context/list 7', 'input/id 33']],
    ['map(input.a, context => context.b + input.c)', ['input/a 4', 'input/c 36']],
    ['map(context.a, context => context.b)', ['context/a 4']],
    ['context.a ?? context.b', ['context/a 0 ?', 'context/b 13']],
    ['context.a == null || context.b', ['context/a 0 ?', 'context/b 21']],
    ['undefined !== context.a', ['context/a 14 ?']],
    ['context.a === true', ['context/a 0']],
    ['default(context.a, context.b)', ['context/a 8 ?', 'context/b 19 ?']],
    ['coalesce(context.a.b)', ['context/a/b 9 ?']],
    ['len(context.a ?? [])', ['context/a 4 ?']],
  ])('%s', (source, paths) => {
    expect(pathsOf(source)).toEqual(paths);
  });

  it('exclude paths that begin with the name of a line', () => {
    expect(pathsOf('a = input.b\na.c + input.d', true)).toEqual(['input/b 4', 'input/d 18']);
  });
});
