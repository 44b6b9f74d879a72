import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type Mail, Mails } from '#test/sandbox/mailbox/mails.ts'
import { mailsPage } from '#test/sandbox/mailbox/page.ts'

export type { Mail }

export type Mailbox = {
  /** The URL of the page and the JSON. */
  url: string
  smtpUrl: string
  smtpPort: number
  /** Newest first. */
  mails(to?: string): Mail[]
  clear(): void
  /** Resolves with all mails once there are `count`. Rejects after `timeoutMs`, 30 s. */
  waitFor(to: string, count?: number, timeoutMs?: number): Promise<Mail[]>
  stop(): Promise<void>
}

const LARGEST_MAIL = 10 * 1024 * 1024
const LONGEST_WAIT_MS = 60_000

/** Starts a mail server on 127.0.0.1 that delivers nothing, stores the mails and shows them over HTTP. */
export async function startMailbox({ smtpPort = 0, httpPort = 0 } = {}): Promise<Mailbox> {
  const mails = new Mails()
  const smtp = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: true,
    size: LARGEST_MAIL,
    onAuth: (auth, _session, done) => done(null, { user: auth.username }), // accepts any credentials
    async onData(stream, session, done) {
      try {
        await mails.receive(
          stream,
          session.envelope.rcptTo.map(({ address }) => address),
        )
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  smtp.on('error', () => undefined) // a disconnecting client is not an error
  smtp.listen(smtpPort, '127.0.0.1')
  await once(smtp.server, 'listening')
  const http = createServer((request, response) => void route(mails, request, response))
  http.listen(httpPort, '127.0.0.1')
  await once(http, 'listening')

  const port = portOf(smtp.server)
  return {
    url: `http://127.0.0.1:${portOf(http)}`,
    smtpUrl: `smtp://127.0.0.1:${port}`,
    smtpPort: port,
    mails: (to) => mails.list(to),
    clear: () => mails.clear(),
    async waitFor(to, count = 1, timeoutMs = 30_000) {
      const found = await mails.waitFor(to, count, AbortSignal.timeout(timeoutMs))
      if (found.length >= count) return found
      throw new Error(`${to} got ${found.length} of ${count} mails within ${timeoutMs} ms`)
    },
    async stop() {
      if (!http.listening) return
      http.close()
      http.closeAllConnections()
      await Promise.all([once(http, 'close'), new Promise<void>((resolve) => smtp.close(() => resolve()))])
    },
  }
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

async function route(mails: Mails, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mailbox')
  const json = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.method === 'GET' && pathname === '/mails') {
    const wait = Math.min(Number(searchParams.get('timeout_ms') ?? 25_000), LONGEST_WAIT_MS)
    const to = searchParams.get('to') ?? undefined
    return json(
      200,
      await mails.waitFor(to, Number(searchParams.get('wait_for') ?? 0), AbortSignal.timeout(wait)),
    )
  }
  if (request.method === 'DELETE' && pathname === '/mails') {
    mails.clear()
    return json(200, {})
  }
  if (request.method === 'GET' && pathname === '/') {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      // A mail may refer to external images; the page must load and run nothing.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'",
    })
    return response.end(mailsPage(mails.list()))
  }
  return json(404, { error: 'GET /, GET /mails?to=, DELETE /mails' })
}

if (import.meta.main) {
  const { MAILBOX_SMTP_PORT, MAILBOX_HTTP_PORT } = process.env
  const mailbox = await startMailbox({
    smtpPort: Number(MAILBOX_SMTP_PORT ?? 0),
    httpPort: Number(MAILBOX_HTTP_PORT ?? 0),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void mailbox.stop())
  console.log(`mailbox: ${mailbox.url}, ${mailbox.smtpUrl}`)
}
