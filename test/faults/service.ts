import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '#test/sandbox/start/ports.ts'
import { startChild } from './children.ts'

/** Web and worker processes of the service. */
export interface Service extends AsyncDisposable {
  /** Of the first web process. */
  url: string
  urls: string[]
  /** Whether all are the processes that were started. */
  readonly isAlive: boolean
  /** All that they have logged so far. */
  readonly logged: string
}

/** Starts web and worker processes, one of each by default. */
export async function startService(env: NodeJS.ProcessEnv, { webs = 1, workers = 1 } = {}): Promise<Service> {
  const ports: number[] = []
  for (let n = 0; n < webs; n++) ports.push(await freePort(0))
  const processes = [
    ...ports.map((port) =>
      start('web', { ...env, PORT: String(port), HOST: '127.0.0.1', PROCESS_NAME: 'web' }),
    ),
    ...Array.from({ length: workers }, () => start('worker', { ...env, PROCESS_NAME: 'worker' })),
  ]
  const log: string[] = []
  await Promise.all(processes.map((child) => becomesReady(child, log)))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  return {
    url: urls[0] ?? '',
    urls,
    get isAlive() {
      return processes.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    },
    get logged() {
      return log.join('\n')
    },
    async [Symbol.asyncDispose]() {
      const ended = processes.map((child) => (child.kill('SIGKILL') ? once(child, 'exit') : undefined))
      await Promise.all(ended)
    },
  }
}

const start = (name: 'web' | 'worker', env: NodeJS.ProcessEnv): ChildProcess =>
  startChild(name, {
    env: { ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Both say so in their log, which is read on, for a full pipe would stop them. */
async function becomesReady(child: ChildProcess, log: string[]) {
  if (!child.stdout) throw new Error('The process has no output to read')
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => log.push(line))
  const ready = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('ready"') && resolve())
    child.once('exit', (code) => reject(new Error(`A process ended before it was ready (${code})`)))
  })
  if (process.env.FAULTS_LOG)
    lines.on('line', (line) => /"level":"(error|warn|fatal)"/.test(line) && console.error(line.slice(0, 500)))
  await ready
}
