import { everything } from '#visibility';

import { type Principal } from './principal.js';

/**
 * The audiences of a key to which handovers and other work may be addressed, as to its agent; `$reader` in policies matches the
 * same names. The audience `all` cannot be addressed.
 */
export function audiencesAddressed({ audiences }: Principal): readonly string[] {
  return audiences.filter((audience) => audience !== everything);
}
