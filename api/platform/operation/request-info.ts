import type { IncomingMessage } from 'node:http'

/** The facts of a request that a handler may read besides its checked input. */
export interface RequestInfo {
  id: string
  ip: string
  /** The network of `ip`, which limits count, see `networkOfAddress`. */
  network: string
  userAgent: string
  /** The scheme and host that the request, or a trusted proxy, claims. Never base an authorization on it. */
  base: string
  /** The store's language that fits Accept-Language best, else the store's default. */
  language: string
  headers: IncomingMessage['headers']
  /** Whether the operation returns CSV too and the Accept header prefers it to JSON. */
  wantsCsv: boolean
  /** The length of the JSON body; 0 without one. */
  bodyBytes: number
  /** The unread body, for operations that take a stream. */
  stream: IncomingMessage
  /** The version of the store's catalog when the request arrived; '' without a store. */
  catalogVersion: string
}
