/** The root key of all servers that the e2e suites start. */
export const rootKey = 'root-key-of-the-e2e-tests';
