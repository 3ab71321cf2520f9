import { rollupRef } from '../entries/item-ref.js';
import { quoted } from '../entries/shown-text.js';
import { type VersionGroup } from './version-groups.js';

/** A digest of many as views tell it. */
export function rollupText({ from, to }: VersionGroup, digest: string): string {
  return `## v${from} to v${to} ${rollupRef(from, to)}, rolled up\n${quoted(digest)}`;
}
