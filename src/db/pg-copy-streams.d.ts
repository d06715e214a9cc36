declare module 'pg-copy-streams' {
  import type { Readable } from 'node:stream';
  /** A COPY … TO STDOUT to pass to a client as a query; its rows are read as a stream. */
  export function to(text: string): Readable;
}
