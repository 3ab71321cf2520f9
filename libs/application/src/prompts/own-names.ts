/** Names of what a request brings and of what is made for it: nothing in a context stands in their place. */
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
