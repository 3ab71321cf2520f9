import { path } from './address.js';
import { type Api, type QueryOf } from './api.js';
import { type ReadOptions } from './endpoints.js';
import { type HttpClient } from './http-client.js';
import { List } from './pages.js';

/** Keys of the workspace, for its admins. */
export class Keys {
  constructor(private readonly http: HttpClient) {}

  /** Only this answer contains the secret. The request is not retried, because that could create two keys. */
  async create(
    body: Api.CreateKeyData['body'],
    options?: ReadOptions,
  ): Promise<Api.CreateKeyResponse> {
    const request = { ...options, body, maxRetries: 0 };
    return (await this.http.request<Api.CreateKeyResponse>('POST', '/v1/keys', request)).body;
  }

  list(
    query: QueryOf<Api.ListKeysData> = {},
    options?: ReadOptions,
  ): List<Api.ListKeysResponse['items'][number]> {
    return new List(this.http, '/v1/keys', query, options);
  }

  async revoke(keyId: string, options?: ReadOptions): Promise<void> {
    await this.http.request('DELETE', path`/v1/keys/${keyId}`, options);
  }
}
