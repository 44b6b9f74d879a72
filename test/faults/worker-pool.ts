import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startChild } from './children.ts'

/** A worker that starts on a busy machine may exit with this. It is started again, as a platform would. */
const NO_DATABASE_IN_TIME = /Timeout acquiring a connection/

/** A fixed number of worker processes. A killed one is replaced immediately. */
export class WorkerPool implements AsyncDisposable {
  /** Rejects when a worker exits that was not killed. */
  readonly broken: Promise<never>
  readonly #env: NodeJS.ProcessEnv
  readonly #working = new Map<string, ChildProcess>()
  readonly #break: (reason: Error) => void
  #started = 0
  #closing = false

  constructor(size: number, env: NodeJS.ProcessEnv) {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    this.broken = promise
    this.#break = reject
    this.#env = env
    for (let n = 0; n < size; n++) this.#start()
  }

  /** Kills a worker with SIGKILL; false when it has exited already. */
  kill(name: string): boolean {
    const worker = this.#working.get(name)
    if (!worker?.kill('SIGKILL')) return false
    this.#working.delete(name)
    this.#start()
    return true
  }

  /** Kills any worker, whatever it does; false when none is left to kill. */
  killAny(): boolean {
    const names = [...this.#working.keys()]
    return this.kill(names[Math.floor(Math.random() * names.length)] ?? '')
  }

  #start() {
    const name = `worker-${++this.#started}`
    const worker = startChild('worker', {
      env: { ...this.#env, PROCESS_NAME: name },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    this.#working.set(name, worker)
    let said = ''
    worker.stderr?.on('data', (chunk) => {
      said += chunk
    })
    worker.once('close', (code, signal) => {
      const wasKilled = !this.#working.delete(name)
      if (wasKilled || this.#closing) return
      if (NO_DATABASE_IN_TIME.test(said)) this.#start()
      else this.#break(new Error(`${name} exited (${signal ?? code}): ${said}`))
    })
  }

  async [Symbol.asyncDispose]() {
    this.#closing = true
    const ended = [...this.#working.values()].map((worker) =>
      worker.kill('SIGKILL') ? once(worker, 'exit') : null,
    )
    await Promise.all(ended)
  }
}
