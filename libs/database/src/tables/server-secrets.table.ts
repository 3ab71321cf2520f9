/** Keys this store made for itself, such as the one that keys the hashes of personal data. */
export type ServerSecretsTable = {
  name: string;
  value: Buffer;
};
