import { setParameters } from '../../navigation/location.js';

/** Moves everything on the page to a version. The newest version is followed as the context grows. */
export function VersionSlider({ version, newest }: Readonly<{ version: number; newest: number }>) {
  const isNewest = version === newest;
  const move = (to: number) =>
    setParameters({ at: to >= newest ? undefined : Math.max(1, to) }, { replace: true });
  return (
    <div className="version-slider">
      <label htmlFor="version">Version</label>
      <button
        type="button"
        aria-label="One version back"
        disabled={version <= 1}
        onClick={() => move(version - 1)}
      >
        ‹
      </button>
      <input
        id="version"
        type="range"
        min={1}
        max={newest}
        value={version}
        onChange={({ target }) => move(Number(target.value))}
      />
      <button
        type="button"
        aria-label="One version forward"
        disabled={isNewest}
        onClick={() => move(version + 1)}
      >
        ›
      </button>
      <output htmlFor="version">
        {version} of {newest}
        {isNewest ? ' (newest)' : ''}
      </output>
      {!isNewest && (
        <button type="button" onClick={() => move(newest)}>
          Newest
        </button>
      )}
    </div>
  );
}
