import { type Expression, compileExpression } from '#expressions';

/** Names that expressions read as a name only if they have been declared: ids with hyphens, and those that begin with a digit. */
const needsDeclaration = /^(?=.*-|\d)[A-Za-z0-9_-]+$/;

/** Reads the expressions of one definition, in which `context.parallel-tests` is a name after a dot. */
export class ExpressionReader {
  readonly #declared: readonly string[];

  /** `names`: all that `context` may hold. */
  constructor(names: readonly string[]) {
    this.#declared = names.filter((name) => needsDeclaration.test(name));
  }

  /** Throws ExpressionError. */
  read(source: string): Expression {
    const declared = this.#declared.filter((name) => source.includes(name));
    return compileExpression(source, { declared, exactNumbers: true });
  }
}
