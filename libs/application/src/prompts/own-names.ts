/** Names of data that the request sends or the server computes: no data of a context can replace them. */
export const ownNames: ReadonlySet<string> = new Set([
  'input',
  'agent',
  'persona',
  'registry',
  'view',
  'required',
  'required_inputs',
  'requiredInputs',
]);
