const pattern = /^\w{1,64}$/;

/**
 * Streams of one event store among others in the same KurrentDB: `<name>-<stream>`. System streams begin with `$`,
 * those of other applications with something else.
 */
export class Namespace {
  /** What the names of all streams of events begin with. */
  readonly prefix: string;
  /** Holds the id of this store in its only event. No stream of events can be named so. */
  readonly identityStream: string;

  /** Throws RangeError where the name is not 1 to 64 letters, digits and underscores. */
  constructor(name: string) {
    if (!pattern.test(name))
      throw new RangeError(`a namespace is 1 to 64 letters, digits and underscores, not "${name}"`);
    this.prefix = `${name}-`;
    this.identityStream = `${name}_identity`;
  }

  toServer(stream: string): string {
    return this.prefix + stream;
  }

  /** Undefined where the stream is not of this store. */
  fromServer(stream: string): string | undefined {
    return stream.startsWith(this.prefix) ? stream.slice(this.prefix.length) : undefined;
  }
}
