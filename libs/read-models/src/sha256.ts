import { hash } from 'node:crypto';

/** SHA-256 of UTF-8 text as 64 lower-case hex digits. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
