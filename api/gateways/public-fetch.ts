import type { IncomingHttpHeaders } from 'node:http'
import type { CustomFetch, FetchBody } from 'openid-client'
import { Agent, buildConnector } from 'undici'
import { readResponse } from '#shared/platform/http/read-response.ts'
import { connectToHost } from '#shared/platform/net/connect-to-host.ts'
import { keepAliveFor } from '#shared/platform/net/keep-alive-for.ts'
import { limitPieces } from '#shared/platform/net/limit-pieces.ts'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import type { ResolveName } from '#shared/platform/net/resolve-host.ts'
import { publicLookup } from '#shared/platform/net/resolve-host.ts'

interface Options {
  /** Whether loopback hosts are allowed, also over plain http, in development. */
  allowLocal: boolean
  timeoutMs: number
  resolve?: ResolveName
}

// Far above the size of a discovery document, key set or token response. An empty object takes twenty times as many
// bytes in memory as in the text.
const MOST = { bytes: 64 * 1024, levels: 16, values: 2_000, names: 2_000 }

/**
 * Creates a `fetch` for URLs that stores configured. It checks the URL and every address that its host resolves to,
 * connects to one of them, follows no redirect, limits time and size, and passes on no header but the type.
 */
export function publicFetch({ allowLocal, timeoutMs, resolve }: Options): CustomFetch {
  const refusal = () => new Error('the host has an address that is not public')
  const agent = new Agent({
    ...keepAliveFor(),
    connect: connectToHost(buildConnector, {
      lookup: publicLookup({ allowLocal, refusal, resolve }),
      timeout: timeoutMs,
    }),
    maxHeaderSize: 16 * 1024,
  }).compose(limitPieces)
  return async (text, { method, headers, body, signal }) => {
    const url = readPublicUrl(text, { allowLocal })
    if (typeof url === 'string') throw new Error(`${text} must not be called: ${url}`)
    const deadline = AbortSignal.timeout(timeoutMs)
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as 'GET' | 'POST',
      headers,
      body: bodyOf(body),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    const bytes = await readResponse(response.body, MOST, (excess) => new Error(`the response has ${excess}`))
    return new Response(bytes.length ? bytes : null, {
      status: response.statusCode,
      headers: headersOf(response.headers),
    })
  }
}

/** Converts a body to text. The client sends only forms. */
const bodyOf = (body: FetchBody): string | null => (body ? String(body) : null)

/**
 * Returns only the type of the body. The client parses challenges (WWW-Authenticate) in quadratic time: those of 16 KB
 * would block the event loop for 60 ms.
 */
function headersOf({ 'content-type': type }: IncomingHttpHeaders): Record<string, string> {
  return typeof type === 'string' ? { 'content-type': type } : {}
}
