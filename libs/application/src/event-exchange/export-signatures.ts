import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

import { type ExportSignature, type SignedHead, signedText } from '#interop';

/** The prefix of the 32 bytes of a private key in PKCS #8 form (RFC 8410). */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs exports of this server with Ed25519, and verifies the signatures of imports. */
export class ExportSignatures {
  /** The public key of this server: 32 bytes as base64url. */
  readonly key: string;

  readonly #privateKey: KeyObject;

  /** `secret`: 32 random bytes; `trustedKeys`: public keys of other servers. */
  constructor(
    secret: KeyObject,
    private readonly trustedKeys: readonly string[] = [],
  ) {
    const der = Buffer.concat([privateKeyPrefix, secret.export()]);
    this.#privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    this.key = createPublicKey(this.#privateKey).export({ format: 'jwk' }).x ?? '';
  }

  sign(place: SignedHead): ExportSignature {
    const value = sign(null, Buffer.from(signedText(place)), this.#privateKey);
    return { ...place, key: this.key, value: value.toString('base64url') };
  }

  /** Whether the key belongs to this server or to one that it trusts. */
  trusts(key: string): boolean {
    return key === this.key || this.trustedKeys.includes(key);
  }

  /** Whether the signature is valid for the key that it names. */
  fits({ key, value, ...place }: ExportSignature): boolean {
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: key },
      format: 'jwk',
    });
    const text = Buffer.from(signedText(place));
    return verify(null, text, publicKey, Buffer.from(value, 'base64url'));
  }
}
