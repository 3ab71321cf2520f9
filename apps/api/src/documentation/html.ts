import { createHash } from 'node:crypto';

import { TextAnswer } from '../http/answer.js';

/** Text that is HTML already and is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template that escapes its values, except for {@link Html}. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, at) => text + partText(parts[at])).join(''));
}

/** A complete page without scripts and external resources. */
export function page(title: string, body: Html, status = 200): TextAnswer {
  const { text } = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      <style>
        ${new Html(style)}
      </style>
      <body>
        ${body}
      </body>
    </html> `;
  const headers = { 'Content-Security-Policy': policy };
  return new TextAnswer(text, 'text/html; charset=utf-8', headers, status);
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2127; background: #fff; }
a { color: #0b57d0; } h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #d4d9df; }
code, pre { font: 13px/1.45 ui-monospace, monospace; background: #f2f4f7; border-radius: 4px; }
code { padding: 1px 4px; } pre { padding: .75rem; overflow-x: auto; } pre code { padding: 0; }
details { border: 1px solid #d4d9df; border-radius: 6px; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; } .method { display: inline-block; min-width: 4.2rem; font-weight: 600; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; border-top: 1px solid #e6e9ed; }
@media (prefers-color-scheme: dark) { body { color: #e3e7ec; background: #14171a; } a { color: #8ab4f8; } code, pre { background: #22272d; } details, h2, td, th { border-color: #343b43; } }
`;

/** Allows no script and no resource, only the style of the page. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function partText(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}
