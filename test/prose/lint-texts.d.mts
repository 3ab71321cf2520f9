/** See lint-texts.mjs. */
export function lintTexts(
  files: readonly { path: string; text: string }[],
): Promise<{ path: string; line: number; column: number; phrase: string; suggestion: string }[]>;
