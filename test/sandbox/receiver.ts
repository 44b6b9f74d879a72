import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Behaviour, Hooks, type ReceivedHook } from '#test/sandbox/receiver/hooks.ts'

export type { Behaviour, ReceivedHook }

export type Receiver = {
  url: string
  hookUrl(name: string): string
  /** Newest last. */
  requests(name: string): ReceivedHook[]
  behave(name: string, behaviour: Behaviour): void
  clear(name: string): void
  /** Resolves with all requests once there are `count`. Rejects after `timeoutMs`, by default two minutes. */
  waitFor(name: string, count: number, timeoutMs?: number): Promise<ReceivedHook[]>
  stop(): Promise<void>
}

const LONGEST_WAIT_MS = 60_000

/** Starts a webhook receiver on 127.0.0.1 that stores requests and returns configured responses. */
export async function startReceiver({ port = 0 }: { port?: number } = {}): Promise<Receiver> {
  const hooks = new Hooks()
  const server = createServer((request, response) => {
    route(hooks, request, response).catch((error) => answer(response, 400, { error: String(error) }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    hookUrl: (name) => `${url}/hooks/${name}`,
    requests: (name) => [...hooks.requests(name)],
    behave: (name, behaviour) => hooks.behave(name, behaviour),
    clear: (name) => hooks.clear(name),
    async waitFor(name, count, timeoutMs = 120_000) {
      const found = await hooks.waitFor(name, count, AbortSignal.timeout(timeoutMs))
      if (found.length >= count) return found
      throw new Error(`Hook ${name} got ${found.length} of ${count} requests within ${timeoutMs} ms`)
    },
    async stop() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function route(hooks: Hooks, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver')
  const [, kind, name = '', part = ''] = pathname.split('/')
  const body = await readBody(request)
  switch (`${request.method} ${kind}/:name${part && `/${part}`}`) {
    case 'POST hooks/:name':
      return behaveLike(hooks.receive(name, request.headers, body), response)
    case 'GET hooks/:name/requests':
      return answer(
        response,
        200,
        await hooks.waitFor(name, Number(searchParams.get('wait_for') ?? 0), patience()),
      )
    case 'PUT hooks/:name/behaviour':
      hooks.behave(name, JSON.parse(body) as Behaviour)
      return answer(response, 200, {})
    case 'DELETE hooks/:name':
      hooks.clear(name)
      return answer(response, 200, {})
    default:
      return answer(response, 404, {
        error: 'POST /hooks/:name, GET /hooks/:name/requests, PUT /hooks/:name/behaviour',
      })
  }

  function patience() {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const wait = Math.min(Number(searchParams.get('timeout_ms') ?? 25_000), LONGEST_WAIT_MS)
    return AbortSignal.any([gone.signal, AbortSignal.timeout(wait)])
  }
}

async function behaveLike({ drop, delay_ms, status, body, headers }: Behaviour, response: ServerResponse) {
  if (delay_ms) await delay(delay_ms)
  if (drop) response.socket?.resetAndDestroy()
  else response.writeHead(status ?? 200, headers).end(body ?? 'ok')
}

function answer(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

if (import.meta.main) {
  const receiver = await startReceiver({
    port: Number(process.env.RECEIVER_PORT ?? 0),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void receiver.stop())
  console.log(`webhook receiver: ${receiver.url}`)
}
