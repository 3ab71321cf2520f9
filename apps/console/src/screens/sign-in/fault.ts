import { Problem } from '../../api/problem.js';

/** Why a sign-in failed, for the person who tries it. */
export function faultOf(error: unknown): string {
  return error instanceof Problem ? error.message : 'the sign-in failed: try again';
}
