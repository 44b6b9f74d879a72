import { Agent, buildConnector, type Dispatcher } from 'undici'
import { connectToHost } from '#shared/platform/net/connect-to-host.ts'
import { keepAliveFor } from '#shared/platform/net/keep-alive-for.ts'
import { limitPieces } from '#shared/platform/net/limit-pieces.ts'
import { publicLookup, type ResolveName } from '#shared/platform/net/resolve-host.ts'
import { checkWebhookUrl } from '#shared/webhooks/check-webhook-url.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { readExcerpt } from './read-excerpt.ts'

export interface WebhookResponse {
  statusCode: number
  /** The start of the body, safe to store and to show. */
  excerpt: string
  retryAfter: string | undefined
}

/**
 * Posts to URLs that stores configured. Checks the URL and every address that its host resolves to, connects to one of
 * them, and follows no redirect. Throws if there is no response.
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
  /** Whether loopback hosts are allowed, also over plain http, in development. */
  allowLocal: boolean
  resolve?: ResolveName
  timeoutMs?: number
  keepAliveMs?: number | undefined
}

/** The time from the DNS query to the end of the body. */
export const TIMEOUT_MS = 15_000

export function createWebhookGateway(options: Options): WebhookGateway {
  const { allowLocal, resolve, timeoutMs = TIMEOUT_MS, keepAliveMs } = options
  const lookup = publicLookup({ allowLocal, resolve, refusal: WebhookErrors.urlNotPublic })
  const agent = new Agent({
    // Do not limit connections to a host: many stores may use the same host, and none should wait for another.
    connections: null,
    pipelining: 1,
    ...keepAliveFor(keepAliveMs),
    connect: connectToHost(buildConnector, { lookup, timeout: timeoutMs }),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  }).compose(limitPieces)
  return {
    async post(text, headers, body, signal) {
      // This line alone checks a host that is an IP address: Node does not look it up.
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

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
