// Generates the types of the API's requests and answers from its OpenAPI document: `npm run sdk:types`. With `--check` it
// writes nothing and exits with 1 if the committed file differs.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createClient } from '@hey-api/openapi-ts';

import { buildIfStale } from '../../apps/cli/bin/build.mjs';

const root = join(import.meta.dirname, '..', '..');
const committed = join(import.meta.dirname, 'src', 'generated', 'api-types.ts');

await buildIfStale(root, { report: (line) => process.stderr.write(`${line}\n`) });
const document = await openApi();
const generated = `${await generate(document)}\n${operationTypes(document)}`;
if (!process.argv.includes('--check')) await writeFile(committed, generated);
else if ((await readFile(committed, 'utf8')) !== generated) {
  process.stderr.write('packages/sdk/src/generated/api-types.ts differs: npm run sdk:types\n');
  process.exitCode = 1;
}

/**
 * Returns the part of the document from which types are generated: requests without headers, and successful answers. The client
 * itself sets headers, all problems have the same shape, and the version of the product changes no type.
 */
async function openApi() {
  const load = (path) => import(pathToFileURL(join(root, 'dist', 'apps', 'api', 'src', path)).href);
  await import('reflect-metadata');
  const { apiEndpoints } = await load('api.module.js');
  const { buildOpenApi } = await load('documentation/openapi.js');
  const document = JSON.parse(JSON.stringify(buildOpenApi(apiEndpoints, '0')));
  const below = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
  return {
    ...document,
    paths: Object.fromEntries(below.map(([path, methods]) => [path, mapValues(methods, shorten)])),
  };
}

function shorten(operation) {
  const succeeded = Object.entries(operation.responses).filter(([status]) =>
    status.startsWith('2'),
  );
  return {
    ...operation,
    description: undefined,
    parameters: operation.parameters.filter((parameter) => parameter.in !== 'header'),
    responses: Object.fromEntries(succeeded),
  };
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Maps each method and path to the types of request and answer. */
function operationTypes({ paths }) {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const name = operationId[0].toUpperCase() + operationId.slice(1);
      const request = `'${method.toUpperCase()} ${path}'`;
      return `    ${request}: { request: ${name}Data; answer: ${name}Response };`;
    }),
  );
  return `export type Operations = {\n${lines.join('\n')}\n};\n`;
}

async function generate(input) {
  const path = await mkdtemp(join(tmpdir(), 'throughline-types-'));
  try {
    await createClient({
      input,
      output: { path, clean: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    return await readFile(join(path, 'types.gen.ts'), 'utf8');
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
