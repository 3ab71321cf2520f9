import { type KeyObject, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import { z } from 'zod';

import { type Principal } from '../access/principal.js';
import { ROOT_KEY_HASH, SESSION_KEY } from '../tokens.js';
import { type Holder, KeyLeases, rootPrincipal } from './authentication.js';
import { hashSecret } from './key-store.js';

/** Milliseconds. A session ends earlier if its key is revoked or expires. */
const sessionMs = 12 * 3_600_000;

/** `token`: opaque to clients; the value of the session cookie. */
export type Session = Readonly<{ token: string; expiresAt: Date; principal: Principal }>;

/** Opens a session for the holder of a secret; null if the secret is not valid. */
export class OpenSessionCommand extends Command<Session | null> {
  constructor(readonly secret: string) {
    super();
  }
}

/** Opens a session of the root key, after a client has redeemed a sign-in code of this process. */
export class OpenRootSessionCommand extends Command<Session> {}

/** The principal of a session; null if the token is invalid or has expired, or if its key has ended. */
export class AuthenticateSessionQuery extends Query<Principal | null> {
  constructor(
    readonly token: string,
    readonly workspace: string | undefined,
  ) {
    super();
  }
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

const content = z.object({ secretHash: z.string(), expiresAt: z.number() });

/**
 * Sessions of the web console. A token contains the hash of the secret, encrypted and authenticated, so that each request looks up the
 * key as requests with the secret do: a session needs no storage, and it ends with its key.
 */
@Injectable()
export class Sessions {
  constructor(
    private readonly leases: KeyLeases,
    @Inject(SESSION_KEY) private readonly key: KeyObject,
    @Inject(ROOT_KEY_HASH) private readonly rootKeyHash: () => Promise<string>,
  ) {}

  async open(secretHash: string): Promise<Session | null> {
    const holder = await this.leases.holderOf(secretHash);
    if (!holder) return null;
    const expiresAt = new Date(Date.now() + sessionMs);
    const token = this.#seal({ secretHash, expiresAt: expiresAt.getTime() });
    return { token, expiresAt, principal: asPrincipal(holder, undefined) };
  }

  async openForRoot(): Promise<Session> {
    const session = await this.open(await this.rootKeyHash());
    if (!session) throw new Error('the root key was replaced while a session was opened');
    return session;
  }

  async holderOf(token: string): Promise<Holder | undefined> {
    const found = this.#unseal(token);
    if (!found || found.expiresAt <= Date.now()) return undefined;
    return this.leases.holderOf(found.secretHash);
  }

  #seal(plain: z.infer<typeof content>): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.key, iv);
    const text = Buffer.concat([cipher.update(JSON.stringify(plain)), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** Undefined for a token of another server, or one that was changed. */
  #unseal(token: string): z.infer<typeof content> | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= ivBytes + tagBytes) return undefined;
    const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    try {
      const text = Buffer.concat([
        decipher.update(bytes.subarray(ivBytes + tagBytes)),
        decipher.final(),
      ]);
      return content.parse(JSON.parse(text.toString()));
    } catch {
      return undefined;
    }
  }
}

@CommandHandler(OpenSessionCommand)
export class OpenSessionHandler implements ICommandHandler<OpenSessionCommand> {
  constructor(private readonly sessions: Sessions) {}

  execute({ secret }: OpenSessionCommand): Promise<Session | null> {
    return this.sessions.open(hashSecret(secret));
  }
}

@CommandHandler(OpenRootSessionCommand)
export class OpenRootSessionHandler implements ICommandHandler<OpenRootSessionCommand> {
  constructor(private readonly sessions: Sessions) {}

  execute(): Promise<Session> {
    return this.sessions.openForRoot();
  }
}

@QueryHandler(AuthenticateSessionQuery)
export class AuthenticateSessionHandler implements IQueryHandler<AuthenticateSessionQuery> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ token, workspace }: AuthenticateSessionQuery): Promise<Principal | null> {
    const holder = await this.sessions.holderOf(token);
    return holder ? asPrincipal(holder, workspace) : null;
  }
}

function asPrincipal(holder: Holder, workspace: string | undefined): Principal {
  return holder === 'root' ? rootPrincipal(workspace ?? 'default') : holder;
}
