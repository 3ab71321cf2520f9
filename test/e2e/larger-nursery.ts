/** Processes of tests live for seconds, in which small nurseries are collected again and again. */
export const largerNursery = ['--min-semi-space-size=16'];
