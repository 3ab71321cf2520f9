import { ServerBusyError, TooManyWaitingError } from '../errors.js';
import { WaitingClaims } from './waiting-claims.js';

function waiting(claims: WaitingClaims, count: number, holder: string): void {
  for (let at = 0; at < count; at++) claims.add(holder);
}

describe('waiting claims', () => {
  it('are limited per key, independently of other keys', () => {
    const claims = new WaitingClaims();
    waiting(claims, 1_000, 'greedy');
    expect(() => claims.add('greedy')).toThrow(TooManyWaitingError);
    claims.add('other');
    claims.delete('greedy');
    claims.add('greedy');
    expect(() => claims.add('greedy')).toThrow(TooManyWaitingError);
  });

  it('are limited in all', () => {
    const claims = new WaitingClaims();
    waiting(claims, 1_000, 'one');
    waiting(claims, 1_000, 'two');
    expect(() => claims.add('three')).toThrow(ServerBusyError);
    claims.delete('two');
    claims.add('three');
  });
});
