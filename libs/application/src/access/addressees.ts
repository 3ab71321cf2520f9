import { everything } from '#context-views';

import { type Principal } from './principal.js';

/**
 * Names by which a key is spoken to beside that of its agent: those of its audiences, as `$reader` of policies has it. The
 * audience that sees everything is nobody's name.
 */
export function audiencesAddressed({ audiences }: Principal): readonly string[] {
  return audiences.filter((audience) => audience !== everything);
}
