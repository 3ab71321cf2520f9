import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

/** The published packages: packed by npm, which builds them first. */
const names = ['sdk', 'mcp'] as const;
/** The dependencies of the MCP server, and the types of Node. */
const dependencies = ['@modelcontextprotocol', 'zod', '@types/node', 'undici-types'];

type PackageName = (typeof names)[number];

/** A project with the packages only: the SDK as npm installs it, and the MCP server with its dependencies. */
export class PackedPackages {
  private constructor(readonly project: string) {}

  static async install(): Promise<PackedPackages> {
    const packed = new PackedPackages(await mkdtemp(join(tmpdir(), 'throughline-packages-')));
    const sources = await packed.#copySources();
    await packed.#npm('pack', ...sources, '--pack-destination', packed.project);
    await writeFile(packed.pathOf('package.json'), '{ "type": "module", "private": true }');
    await packed.#npm('install', '--offline', '--no-audit', '--no-fund', packed.tarballOf('sdk'));
    await packed.#unpackMcp();
    return packed;
  }

  pathOf(...below: string[]): string {
    return join(this.project, ...below);
  }

  tarballOf(name: PackageName): string {
    return this.pathOf(`throughline-${name}-0.1.0.tgz`);
  }

  /** The directory in which a package is installed. */
  directoryOf(name: PackageName): string {
    return this.pathOf('node_modules', '@throughline', name);
  }

  /** The files in a tarball, below `package/`. */
  async filesOf(name: PackageName): Promise<string[]> {
    const { stdout } = await run('tar', ['-tzf', this.tarballOf(name)]);
    return stdout.trimEnd().split('\n');
  }

  /** Runs a program in the project and returns its output. */
  async node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const options = { cwd: this.project, env: { ...process.env, ...env } };
    return (await run(process.execPath, args, options)).stdout;
  }

  async #npm(...args: string[]): Promise<string> {
    return (await run('npm', args, { cwd: this.project })).stdout;
  }

  remove(): Promise<void> {
    return rm(this.project, { recursive: true, force: true });
  }

  /** Packing builds in place, so that each run packs a copy. Returns the directories of the packages. */
  async #copySources(): Promise<string[]> {
    const copy = this.pathOf('sources');
    const isSource = (path: string) => !['dist', 'LICENSE'].includes(basename(path));
    await cp(join(root, 'packages'), join(copy, 'packages'), { recursive: true, filter: isSource });
    for (const file of ['LICENSE', 'tsconfig.base.json'])
      await copyFile(join(root, file), join(copy, file));
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    return names.map((name) => join(copy, 'packages', name));
  }

  /** Not installed by npm, which would request the dependencies from a registry. */
  async #unpackMcp(): Promise<void> {
    const target = this.directoryOf('mcp');
    await mkdir(target);
    await run('tar', ['-xzf', this.tarballOf('mcp'), '--strip-components=1', '-C', target]);
    for (const name of dependencies) await this.#link(name);
  }

  /** Links a package that is installed here into the project. */
  async #link(name: string): Promise<void> {
    const link = this.pathOf('node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
}
