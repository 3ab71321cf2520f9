import { type Expression, compileExpression } from '#expressions';

/** Names that expressions recognize only if declared: ids with hyphens, and ids that begin with a digit. */
const needsDeclaration = /^(?=.*-|\d)[A-Za-z0-9_-]+$/;

/** Compiles the expressions of one definition, in which `context.parallel-tests` reads a single name after the dot. */
export class ExpressionReader {
  readonly #declared: readonly string[];

  /** `names`: all possible members of `context`. */
  constructor(names: readonly string[]) {
    this.#declared = names.filter((name) => needsDeclaration.test(name));
  }

  /** Throws ExpressionError if the source is not a valid expression. */
  read(source: string): Expression {
    const declared = this.#declared.filter((name) => source.includes(name));
    return compileExpression(source, { declared, exactNumbers: true });
  }
}
