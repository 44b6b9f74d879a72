import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { RequestErrors } from '#api/platform/errors.ts'
import { errorEnvelope } from '#api/platform/output/error-reply.ts'
import { config } from '#shared/platform/config/config.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ConnectionLimit } from './client-connection-limit.ts'
import { limitBodyPieces } from './limit-body-pieces.ts'
import { requests } from './metrics.ts'
import { paceNetwork } from './pace-network.ts'
import { isStopping } from './stopping.ts'

const MAX_HEADERS = 100
const HEADERS_MS = 10_000
// Long enough to upload the largest import over a slow line. It limits connections that send byte by byte.
const REQUEST_MS = 120_000
const KEEP_ALIVE_MS = 65_000
const READING_MS = 120_000

interface ParserError {
  code?: string
}

/**
 * Creates an HTTP server with time-outs, a limit of connections, and turns of networks. It responds to malformed HTTP
 * with the error envelope too.
 */
export function createHttpServer(listener: RequestListener): Server {
  const serve: RequestListener = (request, response) => {
    const end = connections.begin(request)
    if (!end) return
    const endReading = limitReading(response)
    response.once('close', () => {
      end()
      endReading()
    })
    if (isStopping()) response.setHeader('Connection', 'close')
    if (hasBody(request)) limitBodyPieces(request, response, () => refuseBody(response))
    paceNetwork(addressesOf(request).network, {
      socket: request.socket,
      begin: () => listener(request, response),
      refuse: () => refuseWaiting(request, response),
    })
  }
  // guardRequest refuses a missing Host with the error envelope. Node would respond with an empty body.
  const server = createServer({ requireHostHeader: false, maxHeaderSize: 16_384 }, serve)
  // Otherwise Node responds with 417 before any limit. Unknown expectations may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve)
  const connections = new ConnectionLimit(server, config().MAX_CONNECTIONS)
  // Node refuses more with 431, from 24.18.1 on. To parse 900 headers takes 0.4 ms and 90 KB.
  server.maxHeadersCount = MAX_HEADERS
  server.timeout = config().DOWNLOAD_STALL_MS
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = REQUEST_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('clientError', (error: ParserError, socket: Socket) => refuse(error, socket))
  return server
}

/** Whether a request announces a body (RFC 9112, section 6). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/**
 * Closes the connection of a client that reads too slowly, because a complete response stays in memory until the client
 * has read it. Returns a function that ends the limit.
 */
function limitReading(response: ServerResponse): () => void {
  let late: NodeJS.Timeout | undefined
  response.once('prefinish', () => {
    // Without a socket, the client left before the response was written, and no other 'close' follows. A response that
    // the operating system has taken whole needs no memory of this process.
    if (response.socket?.writableLength) late = setTimeout(() => response.destroy(), READING_MS)
  })
  return () => clearTimeout(late)
}

const JSON_TYPE = 'application/json; charset=utf-8'
const TINY_CHUNKS = 'tiny chunks'
/** The responses to malformed HTTP, by the code of Node's error. */
const STATUS: Record<string, [status: number, why: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'its headers are too large or too many'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'it did not arrive in time'],
  [TINY_CHUNKS]: [400, 'its body has too many small chunks'],
}

/** Refuses a request before it begins, because too many of its network wait. */
function refuseWaiting({ method = '' }: IncomingMessage, response: ServerResponse): void {
  const error = CommonErrors.rateLimitExceeded({ retryAfter: 1 })
  response.writeHead(error.status, { 'Content-Type': JSON_TYPE, 'Retry-After': 1 }).end(errorEnvelope(error))
  requests.inc({ method, route: 'none', status: String(error.status) })
}

/** Closes the connection of a request, because the rest of its body would keep it busy. */
function refuseBody({ req: { socket }, headersSent }: ServerResponse): void {
  if (headersSent) return void socket.destroy()
  refuse({ code: TINY_CHUNKS }, socket)
  socket.destroySoon()
}

function refuse(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, why] = STATUS[error.code ?? ''] ?? [400, 'it is not well-formed HTTP']
  const body = errorEnvelope(RequestErrors.malformed({ why }))
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
