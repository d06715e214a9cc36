declare module 'pg-copy-streams' {
  import type { Readable } from 'node:stream';
  /** The rows of a COPY … TO STDOUT: handed to a client as a query, read as a stream. */
  export function to(text: string): Readable;
}
