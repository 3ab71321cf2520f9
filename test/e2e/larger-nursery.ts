/** Processes of tests run for seconds; with small nurseries they would collect garbage again and again. */
export const largerNursery = ['--min-semi-space-size=16'];
