import { GetPolicyController } from './get-policy.controller.js';
import { SetPolicyController } from './set-policy.controller.js';

export const policyControllers = [GetPolicyController, SetPolicyController];
