import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import '#test/support/database.ts'
import { createApp } from '#api/app.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { sendRequest } from '#test/support/processes/http.ts'
import { assertDescribed } from '#test/support/requests/described.ts'

// Importing this file serves the application on the process's database, on a port of its own.
const server: Server = createHttpServer(createApp().callback())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})

export const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.env.PUBLIC_URL = baseUrl
resetConfig()

export interface RequestOptions {
  /** Publishable key of a built store. */
  store?: { key: string }
  token?: string
  cart?: string
  key?: string
  headers?: Record<string, string>
  body?: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the operation answers; `described` has checked it
type Json = any

export interface ApiResponse {
  status: number
  headers: Headers
  data: Json
  meta: Json
  error: string | null
  error_code: string | null
  detail?: Json
}

/** Calls an operation over HTTP, checks the answer against its description, and returns it taken apart. */
export async function request(line: string, options: RequestOptions = {}): Promise<ApiResponse> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const headers: Record<string, string> = {
    ...(options.store ? { 'X-Service-Key': options.store.key } : {}),
    ...(options.token ? { Authorization: `Bearer ${options.token}` } : {}),
    ...(options.cart ? { 'X-Cart-Token': options.cart } : {}),
    ...(options.key ? { 'Idempotency-Key': options.key } : {}),
    ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...options.headers,
  }
  const body =
    options.body === undefined || typeof options.body === 'string'
      ? options.body
      : JSON.stringify(options.body)
  const { text, ...response } = await sendRequest(`${baseUrl}/api/v1${path}`, {
    method,
    headers,
    body: (body as string) ?? null,
  })
  // Lists are described as JSON, and exports as CSV.
  if (response.headers.get('content-type')?.startsWith('text/csv'))
    return { ...response, data: text, meta: null, error: null, error_code: null }
  const json = text ? JSON.parse(text) : { data: null, meta: null, error_code: null }
  if (response.status !== 304) assertDescribed(method, path, response.status, json)
  return {
    status: response.status,
    headers: response.headers,
    ...json,
    body: json,
  }
}

/** Sends a request head word for word, as no HTTP client would, and returns the whole answer. */
export function rawRequest(head: string, body: string | Buffer = ''): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`${head}Connection: close\r\n\r\n`)
  socket.write(body)
  return text(socket)
}
