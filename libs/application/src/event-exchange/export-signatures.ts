import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

import { type ExportSignature, type SignedHead, signedText } from '#interop';

/** What comes before the 32 bytes of a private key in its PKCS #8 form (RFC 8410). */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs what this server exports with Ed25519, and knows whose signatures count when it imports. */
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

  /** Whether a key is that of this server or one that it trusts. */
  trusts(key: string): boolean {
    return key === this.key || this.trustedKeys.includes(key);
  }

  /** Whether the holder of the key that it names has made this signature. */
  fits({ key, value, ...place }: ExportSignature): boolean {
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: key },
      format: 'jwk',
    });
    const text = Buffer.from(signedText(place));
    return verify(null, text, publicKey, Buffer.from(value, 'base64url'));
  }
}
