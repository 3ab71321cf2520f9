import { UnsupportedServerError, refuseOldServer } from './server-version.js';

describe('refuseOldServer', () => {
  it.each(['24.2.0', '24.10.5', '25.0.1', '26.1.0', '0.0.0-prerelease'])(
    'accepts %s',
    (version) => {
      expect(() => refuseOldServer(version)).not.toThrow();
    },
  );

  it.each(['20.10.6', '23.10.8', '24.1.9', '5.0.11', 'unknown', ''])('rejects %s', (version) => {
    expect(() => refuseOldServer(version)).toThrow(UnsupportedServerError);
    expect(() => refuseOldServer(version)).toThrow(`${version}, which can skip events: use 24.2`);
  });
});
