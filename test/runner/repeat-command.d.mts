export const statedVariables: readonly string[];
