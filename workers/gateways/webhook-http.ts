import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { checkWebhookUrl, hostOf, isLocal } from '#shared/webhooks/check-url.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { isLoopback, isPublicAddress } from '#shared/webhooks/public-address.ts'
import { type ResolveName, resolveHost } from '#shared/webhooks/resolve-host.ts'
import { readExcerpt } from './read-excerpt.ts'

export interface WebhookResponse {
  statusCode: number
  /** The start of the body, safe to keep and to show. */
  excerpt: string
  retryAfter: string | undefined
}

/**
 * Posts to addresses that strangers chose. The URL is checked, every address its host resolves to is checked, and the
 * connection goes to one of those; no redirect is followed. Throws when there is no answer.
 */
export interface WebhookGateway {
  post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<WebhookResponse>
  close(): Promise<void>
}

interface Options {
  /** Development: loopback hosts, over plain http too. */
  allowLocal: boolean
  resolve?: ResolveName
  timeoutMs?: number
}

// For all of it: resolving, connecting, headers and body.
const TIMEOUT_MS = 15_000

export function createWebhookGateway(options: Options): WebhookGateway {
  const { allowLocal, resolve, timeoutMs = TIMEOUT_MS } = options
  const agent = new Agent({
    // As many connections a host as there are jobs: many stores may send to one, and none shall wait for another.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: { lookup: publicLookup(allowLocal, resolve), timeout: timeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  })
  return {
    async post(text, headers, body, signal) {
      // Addresses in numbers are never looked up, so they are judged here alone.
      const url = checkWebhookUrl(text, { allowLocal })
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Commerce-Webhooks/1' },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      return {
        statusCode: response.statusCode,
        excerpt: await readExcerpt(response.body),
        retryAfter: headerOf(response, 'retry-after'),
      }
    },
    close: () => agent.close(),
  }
}

/** Resolves a host for the connection itself, so that what was checked is what is called. */
function publicLookup(allowLocal: boolean, resolve: ResolveName | undefined): LookupFunction {
  return (host, options, callback) => {
    const passes = allowLocal && isLocal(host) ? isLoopback : isPublicAddress
    resolveHost(hostOf(new URL(`https://${host}`)), resolve).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return callback(new Error(`${host} has no address`), '')
        if (!addresses.every(({ address }) => passes(address)))
          return callback(WebhookErrors.urlNotPublic(), '')
        if (options.all) callback(null, addresses satisfies LookupAddress[])
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
