import type { IncomingMessage } from 'node:http'

/** The facts of a request that every handler may read besides its checked input. */
export interface RequestInfo {
  id: string
  ip: string
  userAgent: string
  /** Scheme and host as the request, or a trusted proxy, claims them. Never use it to decide a right. */
  base: string
  /** The store's language that fits Accept-Language best, else the store's default. */
  language: string
  headers: IncomingMessage['headers']
  /** The Accept header prefers `text/csv` to JSON. */
  wantsCsv: boolean
  /** The unread body, for operations that take a stream. */
  stream: IncomingMessage
  /** The version of the store's catalog when the request arrived; '' without a store. */
  catalogVersion: string
}
