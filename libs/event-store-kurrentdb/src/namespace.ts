const pattern = /^\w{1,64}$/;

/**
 * The streams of one event store within a KurrentDB: `<name>-<stream>`. System streams begin with `$`, streams of other
 * applications with another prefix.
 */
export class Namespace {
  /** The prefix of the names of all event streams. */
  readonly prefix: string;
  /** The stream with the id of this store as its only event. No event stream can have this name. */
  readonly identityStream: string;

  /** Throws RangeError unless the name has 1 to 64 letters, digits and underscores. */
  constructor(name: string) {
    if (!pattern.test(name))
      throw new RangeError(`a namespace is 1 to 64 letters, digits and underscores, not "${name}"`);
    this.prefix = `${name}-`;
    this.identityStream = `${name}_identity`;
  }

  toServer(stream: string): string {
    return this.prefix + stream;
  }

  /** Undefined if the stream does not belong to this store. */
  fromServer(stream: string): string | undefined {
    return stream.startsWith(this.prefix) ? stream.slice(this.prefix.length) : undefined;
  }
}
