/** Each code block of the page in a separate function, followed by code that must not compile. */
export function usesOf(snippets: readonly string[]): string {
  return [
    `import { type ClientEvent, type ContextDocument, isThroughlineError, Throughline, WorkFailure } from '@throughline/sdk';`,
    `declare const tl: Throughline, events: ClientEvent[], expectedVersion: number, signal: AbortSignal;`,
    `declare const document: ContextDocument, input: unknown, context: ReturnType<Throughline['context']>;`,
    `declare let cursor: string;`,
    `declare function writeCode(context: unknown, signal: AbortSignal): Promise<string[]>;`,
    ...snippets.map((snippet, index) => `export async function piece${index}() {\n${snippet}}`),
    `export async function wrong() {`,
    `  // @ts-expect-error: no such type of event`,
    `  await context.append([{ type: 'StepOutputAdd', data: { stepId: 'a', output: 1 } }]);`,
    `  // @ts-expect-error: a decision has a text`,
    `  await context.decisions.record({ topic: 'storage' });`,
    `  const error: unknown = new WorkFailure('x');`,
    `  if (isThroughlineError(error, 'version-conflict')) return error.missed[0]?.version.toFixed();`,
    `  // @ts-expect-error: other errors have no such member`,
    `  if (isThroughlineError(error, 'forbidden')) return error.missed;`,
    `  return Throughline.fromEnvironment().me();`,
    `}`,
  ].join('\n');
}
