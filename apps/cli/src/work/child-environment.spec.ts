import { childEnvironment } from './child-environment.js';

const envelope = {
  contextId: 'c',
  runId: 'r',
  agent: 'planner',
  effectKey: 'e',
  step: { id: 'plan', path: 'plan#2', visit: 2, attempt: 3 },
};

describe('the environment of a program', () => {
  it('names the attempt that the program executes', () => {
    expect(childEnvironment({}, envelope)).toEqual({
      THROUGHLINE_CONTEXT: 'c',
      THROUGHLINE_RUN: 'r',
      THROUGHLINE_STEP: 'plan',
      THROUGHLINE_AGENT: 'planner',
      THROUGHLINE_PATH: 'plan#2',
      THROUGHLINE_VISIT: '2',
      THROUGHLINE_ATTEMPT: '3',
      THROUGHLINE_EFFECT_KEY: 'e',
    });
  });

  it('contains no secrets of the worker or the server', () => {
    const env = childEnvironment(
      {
        PATH: '/bin',
        OPENAI_API_KEY: 'own',
        THROUGHLINE_URL: 'http://127.0.0.1:1',
        THROUGHLINE_KEY: 's',
        THROUGHLINE_ADMIN_KEY: 's',
        throughline_key: 's',
        THROUGHLINE_DATA_DIR: 's',
        DATABASE_URL: 's',
        EVENTSTORE_URL: 's',
      },
      envelope,
    );
    expect(env).toMatchObject({ PATH: '/bin', OPENAI_API_KEY: 'own' });
    expect(env['THROUGHLINE_URL']).toBe('http://127.0.0.1:1');
    expect(Object.values(env)).not.toContain('s');
  });
});
