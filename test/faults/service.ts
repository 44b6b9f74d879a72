import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '../sandbox/start/ports.ts'
import { startChild } from './children.ts'

/** A web and a worker process of the service. */
export interface Service extends AsyncDisposable {
  url: string
  /** Whether both are the processes that were started. */
  readonly isAlive: boolean
}

export async function startService(env: NodeJS.ProcessEnv): Promise<Service> {
  const port = await freePort(0)
  const service = { ...env, PORT: String(port), HOST: '127.0.0.1' }
  const processes = [
    start('api/server.ts', { ...service, PROCESS_NAME: 'web' }),
    start('workers/main.ts', { ...service, PROCESS_NAME: 'worker' }),
  ]
  await Promise.all(processes.map(becomesReady))
  return {
    url: `http://127.0.0.1:${port}`,
    get isAlive() {
      return processes.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    },
    async [Symbol.asyncDispose]() {
      const ended = processes.map((child) => (child.kill('SIGKILL') ? once(child, 'exit') : undefined))
      await Promise.all(ended)
    },
  }
}

const start = (file: string, env: NodeJS.ProcessEnv): ChildProcess =>
  startChild(file, {
    env: { ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Both say so in their log, which is read on, for a full pipe would stop them. */
async function becomesReady(child: ChildProcess) {
  if (!child.stdout) throw new Error('The process has no output to read')
  const lines = createInterface(child.stdout)
  const ready = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('ready"') && resolve())
    child.once('exit', (code) => reject(new Error(`A process ended before it was ready (${code})`)))
  })
  if (process.env.FAULTS_LOG)
    lines.on('line', (line) => /"level":"(error|warn|fatal)"/.test(line) && console.error(line.slice(0, 500)))
  await ready
}
