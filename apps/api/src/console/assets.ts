import { readFile, readdir } from 'node:fs/promises';
import { extname } from 'node:path';

import { NotFoundException } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';

/** Files that the build names by their hashes, each also compressed as `.br` and `.gz`. */
const folder = new URL('../../../../console/assets/', import.meta.url);

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** In order of preference. */
const codings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

/** The contents of all files by their names, read once: they take less than a megabyte and never change while a server runs. */
let files: Promise<ReadonlyMap<string, Buffer>> | undefined;

/** Sends a file of the console, compressed if the client accepts that. Names are looked up in a map and never become paths. */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { name } = request.params as Readonly<{ name: string }>;
  const mediaType = mediaTypes[extname(name)];
  files ??= readAll();
  const contents = await files;
  const plain = contents.get(name);
  if (mediaType === undefined || !plain) throw new NotFoundException();
  const accepted = acceptedCodings(request);
  const coding = codings.find(
    (one) => accepted.has(one.name) && contents.has(name + one.extension),
  );
  return reply
    .headers({
      'Content-Type': mediaType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(coding && { 'Content-Encoding': coding.name }),
    })
    .send(coding ? contents.get(name + coding.extension) : plain);
}

async function readAll(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(new URL(name, folder))] as const),
    ),
  );
}

function acceptedCodings({ headers }: FastifyRequest): ReadonlySet<string> {
  const accepted = String(headers['accept-encoding'] ?? '').split(',');
  return new Set(
    accepted
      .filter((text) => !/;\s*q=0(\.0*)?\s*$/.test(text))
      .map((text) => text.split(';')[0]?.trim() ?? ''),
  );
}
