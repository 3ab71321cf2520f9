/** Keys that this store generated for itself, such as the key for hashes of personal data. */
export type ServerSecretsTable = {
  name: string;
  value: Buffer;
};
