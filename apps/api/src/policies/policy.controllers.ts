import { GetPolicyController } from './get-policy.controller.js';
import { ListPoliciesController } from './list-policies.controller.js';
import { SetPolicyController } from './set-policy.controller.js';

export const policyControllers = [ListPoliciesController, GetPolicyController, SetPolicyController];
