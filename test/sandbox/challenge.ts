import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ChallengeProvider {
  variables: ReturnType<typeof challengeVariables>
  /** The forms that it was sent, oldest first. */
  received: Record<string, string>[]
  /** `down`: connections are cut; `wrong`: it answers without a verdict. */
  behave(mode: 'up' | 'down' | 'wrong'): void
  stop(): Promise<void>
}

const SECRET = 'sandbox-challenge-secret'

/** The variables of a service that asks for the challenge of the stand-in at this port. */
export const challengeVariables = (port: number) => ({
  CHALLENGE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
  CHALLENGE_SITE_KEY: 'sandbox-site-key',
  CHALLENGE_SECRET: SECRET,
})
/** Every token that begins so proves a solved challenge, once. */
export const SOLVED = 'solved-'

/**
 * Starts a stand-in for the provider of a challenge on 127.0.0.1. Its verification has the shape that Turnstile,
 * hCaptcha and reCAPTCHA share: a form with `secret`, `response` and `remoteip`, answered by `success` and
 * `error-codes`.
 */
export async function startChallengeProvider({ port = 0 } = {}): Promise<ChallengeProvider> {
  const received: Record<string, string>[] = []
  const used = new Set<string>()
  let mode: 'up' | 'down' | 'wrong' = 'up'
  const server = createServer((request, response) => void answer(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    received.push(form)
    if (mode === 'down') return void response.socket?.resetAndDestroy()
    const codes = faultsOf(form)
    if (codes.length === 0) used.add(form.response ?? '')
    const verdict = mode === 'wrong' ? {} : { success: codes.length === 0, 'error-codes': codes }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(verdict))
  }

  function faultsOf({ secret, response = '' }: Record<string, string>): string[] {
    if (secret !== SECRET) return ['invalid-input-secret']
    if (!response.startsWith(SOLVED)) return ['invalid-input-response']
    return used.has(response) ? ['timeout-or-duplicate'] : []
  }

  return {
    variables: challengeVariables((server.address() as AddressInfo).port),
    received,
    behave(next) {
      mode = next
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

if (import.meta.main) {
  const provider = await startChallengeProvider({ port: Number(process.env.CHALLENGE_PORT ?? 0) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.stop())
  console.log(`challenge provider: ${provider.variables.CHALLENGE_VERIFY_URL}`)
}
