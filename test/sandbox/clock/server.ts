import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ClockRefusal, type SandboxClock } from './sandbox-clock.ts'

const MAX_BODY_BYTES = 10_000
const SETTLE_MS = 60_000
const LONGEST_SETTLE_MS = 600_000
const USAGE = 'GET /_sandbox/clock, POST /_sandbox/clock {"advance": "P1D"}'

/** A request that the clock refuses, with the status of the answer and the field at fault. */
class Refusal extends Error {
  readonly status: number
  readonly field: string | null
  constructor(status: number, message: string, field: string | null = null) {
    super(message)
    this.status = status
    this.field = field
  }
}

/** Serves the sandbox's clock on 127.0.0.1. A port of 0 chooses a free one. */
export async function serveClock(clock: SandboxClock, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    void respond(clock, request)
      .catch(toAnswer)
      .then(({ status, body }) => reply(response, status, body))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

interface Answer {
  status: number
  body: unknown
}

async function respond(clock: SandboxClock, request: IncomingMessage): Promise<Answer> {
  if (new URL(request.url ?? '/', 'http://clock').pathname !== '/_sandbox/clock')
    throw new Refusal(404, USAGE)
  if (request.method === 'GET') return { status: 200, body: clock.read() }
  if (request.method !== 'POST') throw new Refusal(405, USAGE)
  const { advance, settleMs } = parseMove(await readJson(request))
  return { status: 200, body: await clock.advance(advance, settleMs) }
}

function parseMove(body: unknown): { advance: string; settleMs: number | null } {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new Refusal(422, 'The body must be an object')
  const { advance, settle = true, timeout_ms = SETTLE_MS, ...unknown } = body as Record<string, unknown>
  const [field] = Object.keys(unknown)
  if (field !== undefined) throw new Refusal(422, 'is unknown: send advance, settle, timeout_ms', field)
  if (typeof advance !== 'string')
    throw new Refusal(422, 'must be an ISO 8601 duration, such as P1D', 'advance')
  if (typeof settle !== 'boolean') throw new Refusal(422, 'must be true or false', 'settle')
  if (!isTimeout(timeout_ms))
    throw new Refusal(422, `must be a whole number from 0 to ${LONGEST_SETTLE_MS}`, 'timeout_ms')
  return { advance, settleMs: settle ? timeout_ms : null }
}

const isTimeout = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LONGEST_SETTLE_MS

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'Send JSON with the content type application/json')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Refusal(413, `The body is longer than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new Refusal(400, 'The body is not JSON')
  }
}

function toAnswer(error: unknown): Answer {
  if (error instanceof Refusal)
    return { status: error.status, body: { error: error.message, field: error.field } }
  if (error instanceof ClockRefusal) return { status: 422, body: { error: error.message, field: 'advance' } }
  console.error(error)
  return { status: 500, body: { error: error instanceof Error ? error.message : String(error), field: null } }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    .end(JSON.stringify(body))
}
