import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { untilAnswers } from '#test/sandbox/start/answers.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { startChild } from './children.ts'

const CLIENTS = 8
const POLL_MS = 100

export interface RestartReport {
  answered: number
  /** Requests without a 200: the first five reasons. */
  broken: string[]
  exitCodes: (number | null)[]
}

/** One web process behind the balancer. */
interface Backend {
  child: ChildProcess
  pool: Pool
  url: string
  isReady: boolean
}

/**
 * Restarts two web processes in turn, `restarts` times in all, while clients with kept-alive connections send requests
 * through a load balancer that polls `/health/ready`.
 */
export async function restartUnderLoad(
  env: NodeJS.ProcessEnv,
  { restarts, path, headers }: { restarts: number; path: string; headers: Record<string, string> },
): Promise<RestartReport> {
  const backends = [await startBackend(env), await startBackend(env)]
  const report: RestartReport = { answered: 0, broken: [], exitCodes: [] }
  let isOver = false
  const poll = async () => {
    while (!isOver) {
      await Promise.all(backends.map(checkReady))
      await pause(POLL_MS)
    }
  }
  const send = async (client: number) => {
    for (let n = client; !isOver; n++) {
      const ready = backends.filter(({ isReady }) => isReady)
      const backend = ready[n % ready.length]
      if (backend) await request(backend, path, headers, report)
      else await pause(POLL_MS)
    }
  }
  const load = [poll(), ...Array.from({ length: CLIENTS }, (_, client) => send(client))]
  for (let n = 0; n < restarts; n++) {
    const old = backends[n % backends.length]
    if (!old) throw new Error('No process to restart')
    const exited = once(old.child, 'exit')
    old.child.kill('SIGTERM')
    const [code] = await exited
    report.exitCodes.push(code)
    backends[n % backends.length] = await startBackend(env)
  }
  isOver = true
  await Promise.all(load)
  for (const { child } of backends) child.kill('SIGKILL')
  return report
}

async function startBackend(env: NodeJS.ProcessEnv): Promise<Backend> {
  const port = await freePort(0)
  const child = startChild('web', {
    env: { ...env, PORT: String(port), HOST: '127.0.0.1', PROCESS_NAME: 'web' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/health/ready`)
  return { child, url, pool: new Pool(url, { connections: CLIENTS }), isReady: true }
}

async function checkReady(backend: Backend): Promise<void> {
  try {
    backend.isReady = (await fetch(`${backend.url}/health/ready`)).ok
  } catch {
    backend.isReady = false
  }
}

async function request(
  { pool }: Backend,
  path: string,
  headers: Record<string, string>,
  report: RestartReport,
): Promise<void> {
  try {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 100)}`)
    report.answered += 1
  } catch (error) {
    if (report.broken.length < 5) report.broken.push((error as Error).message)
  }
}
